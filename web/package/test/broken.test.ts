import { expect, it } from 'vitest';
import { engine } from '../dist/engine.js';
import { BoxArray, findPairs, ready, World } from '../dist/index.js';
import { errorOf } from './error_of.js';

it('says that the module is broken after a trap, and frees nothing there any more', async () => {
  await ready;
  const world = new World();
  const boxes = new BoxArray(3);
  const outside = 0xfffffff0;
  const uses = [
    () => engine().broad_phase_find_pairs(outside), // traps, as running out of memory does
    () => world.step(0),
    () => findPairs(new Float32Array(8)),
    () => new World(),
    () => new BoxArray(1),
  ];
  for (const use of uses) {
    expect(errorOf(use).code).toBe('broken');
    expect(errorOf(use).message).toContain('load the page again');
  }
  boxes.release();
  world.release();
});
