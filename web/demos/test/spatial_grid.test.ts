import { expect, it } from 'vitest';
import { phone, visit } from './visit';

it('runs while the pointer is over it, and counts the tests of a technique', async () => {
  const page = await visit('spatial-grid/?count=100');
  await page.until('boxes', (boxes) => boxes === 100);
  expect(await page.page.textContent('.said')).toContain('Point here');
  const tests = await page.number('tests');
  const cells = await page.number('allcells');
  expect(tests).toBeLessThan(1000);

  const stage = page.page.locator('.stage canvas');
  await stage.hover({ position: { x: 200, y: 200 } });
  await page.page.waitForSelector('[data-moving-after]');
  await stage.click({ position: { x: 200, y: 200 } });
  await page.until('boxes', (boxes) => boxes === 101);
  await page.page.waitForTimeout(600);
  await page.picture();
  await page.pictureOfCharts();
  await page.page.hover('h1');
  await page.page.waitForTimeout(200);
  await expect.poll(() => page.page.url()).not.toContain('paused=0');
  const still = await page.pixels('#e69f00');
  expect(await page.pixels('#e69f00')).toBe(still);

  await page.page.click('text=cell size 1');
  await page.until('allcells', (now) => now > 50 * cells);
  await expect.poll(() => page.page.url()).toContain('cell=1');
  expect(await page.number('tests')).toBeLessThanOrEqual(tests);
  await page.page.locator('.lil-controller select').selectOption('brute-force');
  await page.until('tests', (now) => now === (101 * 100) / 2);
  await page.leave();
});

it('accepts touch like a mouse', async () => {
  const page = await visit('spatial-grid/?count=300&cell=50', phone);
  await page.until('boxes', (boxes) => boxes === 300);
  await page.page.touchscreen.tap(150, 250);
  await page.until('boxes', (boxes) => boxes === 301);
  await page.leave();
});
