import { expect, it } from 'vitest';
import { visit } from './visit';

it('asks what it is told to, where it is pointed at', async () => {
  const page = await visit('query-lab/?paused=1&cells=1&seed=5');
  await page.until('found', (found) => found > 0);
  await page.picture();
  await page.page.click('.choices >> text=cast');
  await page.page.waitForTimeout(200);
  await page.picture('-cast');
  await page.page.click('.choices >> text=nearest');
  await page.until('found', (found) => found === 8);
  expect(page.page.url()).toContain('ask=nearest');
  await page.page.click('.choices >> text=area');
  const stage = page.page.locator('.stage canvas');
  await stage.click({ position: { x: 300, y: 300 } });
  await stage.hover({ position: { x: 310, y: 310 } });
  const few = await page.until('found', (found) => found < 8);
  await stage.hover({ position: { x: 700, y: 600 } });
  const found = await page.until('found', (now) => now > few + 20);
  await page.page.locator('.lil-controller select').selectOption('brute-force');
  await page.page.waitForTimeout(200);
  expect(await page.number('found')).toBe(found);
  await page.leave();
});

it('lights the cells that a question goes through', async () => {
  const page = await visit('query-lab/?paused=1&seed=5&technique=uniform-grid&count=600&ask=area');
  const stage = page.page.locator('.stage canvas');
  const crossed = async () => {
    await page.page.waitForTimeout(200);
    const text = await page.page.textContent('[data-readout="crossed"]');
    const [some = NaN, all = NaN] = (text ?? '').split(' of ').map((part) => Number(part.replace(',', '')));
    return { some, all };
  };
  await stage.click({ position: { x: 300, y: 300 } });
  await stage.hover({ position: { x: 302, y: 302 } });
  const few = await crossed();
  expect(few.some).toBeGreaterThan(0);
  expect(few.some).toBeLessThanOrEqual(4);
  await stage.hover({ position: { x: 700, y: 600 } });
  const many = await crossed();
  expect(many.some).toBeGreaterThan(few.some);
  expect(many.some).toBeLessThan(many.all);
  await page.page.click('.choices >> text=ray');
  await stage.hover({ position: { x: 700, y: 600 } });
  const along = await crossed();
  expect(along.some).toBeGreaterThan(1);
  expect(along.some).toBeLessThan(many.some);
  await page.picture('-cells');
  await page.page.locator('.lil-controller select').selectOption('hierarchical-grid');
  await expect.poll(() => page.page.textContent('[data-readout="crossed"]')).toBe('–');
  await page.leave();
});

it('tells of each contact once when it begins and once when it ends', async () => {
  const page = await visit('events/');
  await page.until('begun', (begun) => begun > 20);
  await page.page.keyboard.press('Space');
  const [begun, ended, staying] = await Promise.all(['begun', 'ended', 'staying'].map((one) => page.number(one)));
  expect(begun).toBe(ended! + staying!);
  expect(await page.number('removed')).toBeGreaterThan(0);
  await page.picture();
  await page.leave();
});
