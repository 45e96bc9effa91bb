import { expect, it } from 'vitest';
import { Rings } from '../spatial-grid/rings';
import { phone, visit } from './visit';

it('runs while the pointer is over it, and counts the tests of a technique', async () => {
  const page = await visit('spatial-grid/?count=100');
  await page.until('boxes', (boxes) => boxes === 100);
  expect(await page.page.textContent('.said')).toContain('Point here');
  expect(await page.number('tests')).toBeLessThan(1000);

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

  const cells = await page.number('allcells');
  await page.page.click('.choices >> text=50');
  await page.until('allcells', (now) => now < cells);
  const tests = await page.number('tests'); // depends on when the squares stopped, so it may be small
  await page.page.click('text=cell size 1');
  await page.until('allcells', (now) => now > 50 * cells);
  await expect.poll(() => page.page.url()).toContain('cell=1');
  expect(await page.number('tests')).toBeLessThanOrEqual(tests);
  await page.page.locator('.lil-controller select').selectOption('brute-force');
  await page.until('tests', (now) => now === (101 * 100) / 2);
  await page.leave();
});

it('moves a single square if asked to', async () => {
  const rings = new Rings(100, 640, 480);
  for (let step = 0; step < 20; ++step) {
    const before = rings.corners();
    rings.step(1 / 60, true);
    const moved = rings.corners().map((at, i) => (at === before[i] ? 0 : 1));
    expect(moved.indexOf(1)).toBeGreaterThanOrEqual(4 * 99);
    rings.step(1 / 60, false);
    expect(rings.corners().filter((at, i) => at !== before[i]).length).toBeGreaterThan(4 * 90);
  }
  const page = await visit('spatial-grid/?count=100&technique=brute-force');
  await page.page.click('text=only one moves');
  await expect.poll(() => page.page.url()).toContain('one=1');
  await page.page.locator('.stage canvas').hover({ position: { x: 200, y: 200 } });
  await page.page.waitForSelector('[data-moving-after]');
  expect(await page.number('tests')).toBe((100 * 99) / 2);
  await page.leave();
});

it('accepts touch like a mouse', async () => {
  const page = await visit('spatial-grid/?count=300&cell=50', phone);
  await page.until('boxes', (boxes) => boxes === 300);
  await page.page.touchscreen.tap(150, 250);
  await page.until('boxes', (boxes) => boxes === 301);
  await page.leave();
});
