import { expect, it } from 'vitest';
import { visit } from './visit';

it('goes where it is steered, eats, and lights the cells', async () => {
  const page = await visit('chapter10/?food=70');
  await page.until('cells', (cells) => cells > 10);
  expect(await page.pixels('#d9e0ea')).toBeGreaterThan(1500); // the player
  expect(await page.pixels('#009e73')).toBeGreaterThan(5000);
  await page.picture();
  await page.page.keyboard.down('KeyD');
  await page.until('eaten', (eaten) => eaten > 0);
  await page.page.keyboard.up('KeyD');
  const cells = await page.number('cells');
  await page.page.locator('.lil-controller', { hasText: 'cell size' }).locator('input').fill('60');
  await page.page.keyboard.press('Enter');
  await page.until('cells', (now) => now > cells);
  expect(page.page.url()).toContain('cell=60');
  await page.leave();
});
