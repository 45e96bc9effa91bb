import { expect, it } from 'vitest';
import { engine } from '../dist/engine.js';
import { ready, World } from '../dist/index.js';
import { errorOf } from './error_of.js';

// An argument that fails to become a number leaves the module whole (misuse.test.ts); one that becomes a number does not.
it('says that the module is broken after a trap, also if the argument was a text', async () => {
  await ready;
  const outside = '4294967280' as unknown as number;
  for (const use of [() => engine().broad_phase_find_pairs(outside), () => new World()]) {
    expect(errorOf(use).code).toBe('broken');
  }
});
