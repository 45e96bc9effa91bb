import { expect, it } from 'vitest';
import { pages } from '../shared/pages.ts';
import { phone, visit } from './visit';

it.each(pages.map(({ path }) => path))('fits a phone, and starts paused with reduced motion: /%s', async (path) => {
  const page = await visit(path === '' ? '?count=4000' : `${path}/`, { ...phone, reducedMotion: 'reduce' });
  expect(await page.page.textContent('.said')).toMatch(/reduced motion|Point here/);
  await page.page.waitForTimeout(200);
  expect(await page.page.locator('[data-moving-after]').count()).toBe(0);
  expect(await page.page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport.width);
  expect(await page.page.locator('nav [aria-current]').count()).toBe(1);
  await page.picture('-phone');
  await page.leave();
});
