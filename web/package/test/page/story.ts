import type * as Package from 'broadside';

/** Simulates 500 bouncing circles for two seconds; returns the hash of the world. */
export function story({ World }: Pick<typeof Package, 'World'>): bigint {
  const world = new World({ response: 'bounce' });
  const positions = Float32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 500);
  world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
  for (let step = 0; step < 120; ++step) {
    world.step(1 / 60);
  }
  return world.hash();
}
