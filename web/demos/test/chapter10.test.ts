import { expect, it } from 'vitest';
import { visit } from './visit';

it('moves the player by keys, eats food, and highlights the occupied cells', async () => {
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
  await expect.poll(() => page.page.url()).toContain('cell=60');
  await page.leave();
});

it('has sliders that take keys', async () => {
  const page = await visit('chapter10/?paused=1');
  const slider = page.page.locator('.lil-controller', { hasText: 'cell size' }).locator('[role=slider]');
  const before = await page.until('cells', (cells) => cells > 0);
  await slider.focus();
  await slider.press('ArrowRight');
  expect(await slider.getAttribute('aria-valuenow')).toBe('160');
  await slider.press('ArrowDown');
  await slider.press('ArrowLeft');
  expect(await slider.getAttribute('aria-valuenow')).toBe('140');
  await slider.press('Home');
  await slider.press('ArrowLeft');
  await page.until('cells', (cells) => cells > before);
  await expect.poll(() => page.page.url()).toContain('cell=20');
  await page.picture('-slider');
  const food = page.page.locator('.lil-controller', { hasText: 'food' }).locator('[role=slider]');
  await food.press('End');
  await expect.poll(() => page.page.url()).toContain('food=400');
  await page.leave();
});
