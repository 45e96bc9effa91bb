import { expect, it } from 'vitest';
import { visit } from './visit';

const accent = '#e69f00';

it('moves immediately, and highlights touching circles', async () => {
  const home = await visit('');
  await home.page.waitForSelector('[data-moving-after]');
  const contacts = await home.until('contacts', (value) => value > 1000);
  expect(contacts).toBeLessThan(20_000 * 3);
  expect(await home.pixels(accent)).toBeGreaterThan(2000);
  await home.until('fps', (value) => value > 0);
  await home.page.waitForTimeout(1200);
  await home.picture();
  await home.leave();
});

it('has its state in the address, and pauses', async () => {
  const home = await visit('?count=1000&seed=7&bounce=0&paused=1');
  const contacts = await home.until('contacts', (value) => value > 0);
  const before = await home.pixels(accent);
  await home.page.waitForTimeout(200);
  expect(await home.number('contacts')).toBe(contacts);
  expect(await home.pixels(accent)).toBe(before);
  await home.page.keyboard.press('Space');
  await expect.poll(() => home.page.url()).not.toContain('paused');
  await home.until('contacts', (value) => value !== contacts);
  await home.page.locator('[data-control="count"]').fill('200');
  await expect.poll(() => home.page.url()).toContain('count=4000');
  await home.until('contacts', (value) => value > 500);
  await home.leave();

  const again = await visit('?count=1000&seed=7&bounce=0&paused=1');
  await again.until('contacts', (value) => value === contacts);
  await again.leave();
});
