import { random } from './random';

/** Options of `placeCircles`. */
export interface Placing {
  readonly count: number;
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  /** The fraction of the picture that circles cover. */
  readonly cover: number;
  /** The largest radius divided by the smallest. */
  readonly mix: number;
}

/** Positions, velocities and radii of circles. */
export interface Placed {
  /** [n][2] */
  readonly positions: Float32Array;
  /** [n][2] (unit: length per second) */
  readonly velocities: Float32Array;
  /** [n] */
  readonly radii: Float32Array;
}

/** Places circles at random, possibly overlapping; few of them are large. */
export function placeCircles({ count, seed, width, height, cover, mix }: Placing): Placed {
  const next = random(seed);
  const radii = Float32Array.from({ length: count }, () => mix ** (next() ** 3));
  const positions = new Float32Array(2 * count);
  const velocities = new Float32Array(2 * count);
  const area = radii.reduce((sum, radius) => sum + Math.PI * radius * radius, 0);
  const unit = Math.sqrt((cover * width * height) / area);
  const speed = 18 + 12 * unit;
  for (let i = 0; i < count; ++i) {
    const radius = (radii[i] as number) * unit;
    radii[i] = radius;
    positions[2 * i] = radius + next() * (width - 2 * radius);
    positions[2 * i + 1] = radius + next() * (height - 2 * radius);
    const way = next() * 2 * Math.PI;
    const fast = speed * (0.3 + next());
    velocities[2 * i] = Math.cos(way) * fast;
    velocities[2 * i + 1] = Math.sin(way) * fast;
  }
  return { positions, velocities, radii };
}
