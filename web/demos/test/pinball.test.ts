import { ready } from 'broadside';
import { expect, it } from 'vitest';
import type { PhaseName } from '../pinball/broad_phases';
import { Game } from '../pinball/game';
import { Robot } from '../pinball/robot';
import { ballRadius, makeTable, table } from '../pinball/table';
import { phone, visit } from './visit';

/** Returns the positions of all balls, and the score, after `steps` steps; each step may use another broad phase. */
function play(broadPhase: (step: number) => PhaseName, steps: number, balls = 10): string {
  const game = new Game(400, balls, 3);
  const robot = new Robot();
  for (let i = 0; i < steps; ++i) {
    game.broadPhases.chosen = broadPhase(i);
    game.step(robot.keys(game));
  }
  return JSON.stringify([game.score, game.lost, game.balls.map(({ body }) => [...body.position, ...body.velocity])]);
}

it('is the same game with each broad phase, and with one after the other', async () => {
  await ready;
  const expected = play(() => 'naive', 90);
  expect(play(() => 'sweep', 90)).toBe(expected);
  expect(play(() => 'broadside', 90)).toBe(expected);
  expect(play((step) => (['sweep', 'broadside', 'naive'] as const)[step % 3]!, 90)).toBe(expected);
});

it('has a table of a given number of shapes, which keeps the balls inside', async () => {
  await ready;
  for (const shapes of [400, 1234, 2000]) {
    expect(makeTable(shapes).length).toBe(shapes);
  }
  const game = new Game(400, 40, 1);
  const robot = new Robot();
  const places: { x: number; y: number }[] = [];
  for (let i = 0; i < 700; ++i) {
    game.step(robot.keys(game));
    places.push(...game.balls.map(({ body }) => ({ x: body.position[0]!, y: body.position[1]! })));
  }
  const out = places.filter(
    ({ x, y }) => !(x > ballRadius && x < table.max.x - ballRadius && y > ballRadius && y < table.max.y + 8),
  );
  expect(out).toEqual([]);
  expect(game.score).toBeGreaterThan(1000);
  expect(game.lost).toBeGreaterThan(0);
});

it('plays by itself, alternates the broad phases, and is played by keys', async () => {
  const page = await visit('pinball/');
  const sweep = await page.until('sweep-share', (share) => share > 0);
  await page.until('broadside-share', (share) => share > 0 && share < sweep);
  await page.until('score', (score) => score > 0);
  expect(await page.pixels('#d9e0ea')).toBeGreaterThan(100); // the balls
  await page.picture();
  await page.pictureOfCharts();
  await page.page.click('.choices >> text=naive');
  await expect.poll(() => page.page.url()).toContain('broadphase=naive');
  await page.until('naive-share', (share) => share > 0);
  await page.page.click('.choices >> text=broadside');
  await page.page.keyboard.press('KeyP');
  await page.page.waitForTimeout(300);
  const score = await page.number('score');
  await page.page.waitForTimeout(200);
  expect(await page.number('score')).toBe(score);
  await page.page.keyboard.down('ArrowLeft'); // input of a player ends the pause
  await expect.poll(() => page.page.url()).not.toContain('paused');
  await page.until('score', (now) => now > score);
  await page.page.keyboard.up('ArrowLeft');
  await page.leave();
});

it('starts paused with reduced motion, until a finger plays', async () => {
  const page = await visit('pinball/?balls=1', { ...phone, reducedMotion: 'reduce' });
  expect(await page.page.locator('[data-moving-after]').count()).toBe(0);
  await page.page.touchscreen.tap(100, 300);
  await page.page.waitForSelector('[data-moving-after]');
  await page.until('score', (score) => score > 0); // it also launched the ball
  await page.leave();
});
