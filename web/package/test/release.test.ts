import { beforeAll, expect, it } from 'vitest';
import { BroadsideError, ready, World } from '../dist/index.js';

beforeAll(() => ready);

it('gives the memory of a world back at once, and refuses it from then on', () => {
  const world = new World();
  const circles = world.addCircles({ positions: [0, 0, 1, 0], radii: 1 });
  world.step(0);
  expect(world.contactCount).toBe(1);
  const body = circles.at(0)!;
  world.release();
  world.release(); // a second call has no effect
  for (const use of [() => world.step(0), () => body.position, () => circles.readPositions(), () => world.size]) {
    expect(use).toThrow(BroadsideError);
    expect(use).toThrow('this world was released');
  }
  circles.release();
});
