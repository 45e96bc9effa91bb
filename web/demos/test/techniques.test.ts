import { ready, techniqueNames } from 'broadside';
import { expect, it } from 'vitest';
import { rivalNames } from '../race/rivals';
import { techniques } from '../shared/techniques';
import { visit } from './visit';

it('shows the cost of a cell size, and the cost without one', async () => {
  const page = await visit('cliff/?count=1500');
  const pairs = await page.until('pairs', (value) => value > 0);
  expect(pairs).toBeLessThan(10_000);
  const ours = await page.number('ourtests');
  await page.page.locator('[data-control="cell"]').fill('1000');
  await expect.poll(() => page.page.url()).toContain('cell=510');
  await page.until('gridtests', (tests) => tests > 10 * ours);
  await page.page.waitForTimeout(1500);
  await page.page.locator('[data-control="cell"]').fill('620');
  await page.picture();
  await page.pictureOfCharts();
  await page.page.click('text=Use the measured cell size');
  const cell = Number(await page.page.textContent('.hero output'));
  expect(cell).toBeGreaterThan(2);
  await expect.poll(() => page.page.url()).toContain(`cell=${cell}`);
  await page.page.click('.choices >> text=clusters');
  await page.page.waitForTimeout(700);
  await page.picture('-clusters');
  await page.page.locator('[data-control="cell"]').fill('300');
  await page.page.click('.choices >> text=bullets');
  await expect.poll(() => page.page.url()).toContain('scene=bullets');
  await page.until('pairs', (now) => now > 500); // each bullet passes dozens
  expect(await page.pixels('#e69f00')).toBeGreaterThan(300);
  await page.page.waitForTimeout(700);
  await page.picture('-bullets');
  await page.leave();
});

it('runs two techniques on the same scene', async () => {
  const page = await visit('race/?left=brute-force&count=300');
  await page.until('left-tests', (tests) => tests >= (300 * 299) / 2);
  expect(await page.number('right-tests')).toBeLessThan(300 * 30);
  expect(await page.number('left-each')).toBe(299 / 2 + 4); // the walls too
  expect(await page.pixels('#56b4e9')).toBeGreaterThan(1000); // compared, but not touching
  await page.page.locator('.stage canvas').last().hover({ position: { x: 200, y: 300 } });
  await page.page.waitForTimeout(500);
  await page.picture();
  await page.leave();
});

it('lists every technique of the package', async () => {
  await ready;
  expect([...techniques].sort()).toEqual(techniqueNames().sort());
});

it.each(rivalNames)('finds the same contacts as another library: %s', async (name) => {
  const page = await visit(`race/?left=${name}&count=400&paused=1`);
  const touching = await page.until('right-touching', (value) => value > 0);
  await page.until('left-touching', (value) => value === touching);
  await page.page.keyboard.press('Space');
  await page.until('left-ms', (ms) => ms > 0);
  await page.page.locator('.stage canvas').last().hover({ position: { x: 200, y: 300 } });
  await page.page.keyboard.press('Space');
  await page.page.waitForTimeout(300);
  expect(await page.number('left-touching')).toBe(await page.number('right-touching'));
  if (name === 'p2') {
    expect(await page.number('left-tests')).toBeGreaterThan(await page.number('right-tests'));
  } else {
    expect(await page.page.textContent('[data-readout="left-tests"]')).toBe('unknown');
  }
  await page.picture(`-${name}`);
  await page.page.locator('.lil-controller select').first().selectOption('sweep-and-prune');
  await page.until('left-tests', (tests) => tests > 0);
  expect(await page.number('left-touching')).toBe(await page.number('right-touching'));
  await page.leave();
});
