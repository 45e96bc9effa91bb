import { expect, it } from 'vitest';
import { visit } from './visit';

it('makes the selected query at the pointer', async () => {
  const page = await visit('query-lab/?paused=1&cells=1&seed=5');
  await page.until('found', (found) => found > 0);
  await page.picture();
  await page.page.click('.choices >> text=cast');
  await page.page.waitForTimeout(200);
  await page.picture('-cast');
  await page.page.click('.choices >> text=nearest');
  await page.until('found', (found) => found === 8);
  await expect.poll(() => page.page.url()).toContain('ask=nearest');
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

const lit = '#192e3d'; // a cell over the ground

it('highlights the cells or nodes that a query visits, for each technique', async () => {
  const page = await visit('query-lab/?paused=1&seed=5&technique=uniform-grid&count=600&ask=area');
  const stage = page.page.locator('.stage canvas');
  const visited = async () => {
    await page.page.waitForTimeout(200);
    const text = await page.page.textContent('[data-readout="visited"]');
    const [some = NaN, all = NaN] = (text ?? '').split(' of ').map((part) => Number(part.replace(',', '')));
    return { some, all };
  };
  const choose = (technique: string) => page.page.locator('.lil-controller select').selectOption(technique);
  const ask = (question: string) => page.page.click(`.choices >> text=${question}`);
  await stage.click({ position: { x: 300, y: 300 } });
  const seen: number[] = [];
  for (const technique of ['uniform-grid', 'hash-grid', 'hierarchical-grid']) {
    await choose(technique);
    await ask('area');
    await stage.hover({ position: { x: 302, y: 302 } });
    const few = await visited();
    expect(few.some).toBeGreaterThan(0);
    expect(few.some).toBeLessThan(9);
    await stage.hover({ position: { x: 700, y: 600 } });
    const many = await visited();
    expect(many.some).toBeGreaterThan(few.some);
    expect(many.some).toBeLessThan(many.all);
    await ask('ray');
    const along = await visited();
    expect(along.some).toBeGreaterThan(1);
    expect(along.some).toBeLessThan(many.some);
    await page.picture(`-ray-${technique}`);
    await ask('nearest');
    const around = await visited();
    expect(around.some).toBeGreaterThan(0);
    expect(around.some).toBeLessThan(many.all / 2);
    seen.push(await page.pixels(lit));
    await page.picture(`-nearest-${technique}`);
  }
  // The tree: 600 bodies and 4 walls make 38 leaves under three root nodes.
  expect((await visited()).all).toBe(41);
  for (const technique of ['brute-force', 'sweep-and-prune']) {
    await choose(technique);
    await expect.poll(() => page.page.textContent('[data-readout="visited"]')).toBe('–');
    expect(await page.pixels(lit)).toBeLessThan(Math.min(...seen) - 10_000); // edges of bodies have that colour, too
  }
  await page.leave();
});

it('reports each contact once when it begins and once when it ends', async () => {
  const page = await visit('events/');
  await page.until('begun', (begun) => begun > 20);
  await page.until('removed', (removed) => removed > 0);
  await page.page.keyboard.press('Space');
  const [begun, ended, staying] = await Promise.all(['begun', 'ended', 'staying'].map((one) => page.number(one)));
  expect(begun).toBe(ended! + staying!);
  expect(await page.number('removed')).toBeGreaterThan(0);
  await page.picture();
  await page.leave();
});
