import { random } from '../shared/random';

/** Circles that suit a fixed grid, or do not. */
export interface Scene {
  /** [n][2] */
  readonly positions: Float32Array;
  /** [n] */
  readonly radii: Float32Array;
  /** [n][2]: displacement of each in a frame; 0 except for bullets. */
  readonly ways: Float32Array;
}

export const sceneNames = ['even', 'giant in dust', 'clusters', 'bullets', 'far away'] as const;
export type SceneName = (typeof sceneNames)[number];

/** Returns the text on the button of a scene; addresses contain the name itself. */
export function sceneTitle(name: SceneName): string {
  return name === 'giant in dust' ? 'mixed sizes' : name;
}

/** Why it is hard to choose a cell size for the scene. */
export const trouble: Readonly<Record<SceneName, string>> = {
  even: 'All circles are alike. A fixed grid is fine with the right cell size.',
  'giant in dust':
    'If cells fit the small circles, the large ones cover too many cells: they are tested with all others. If cells ' +
    'fit the large circles, one cell holds all small ones.',
  clusters:
    'If cells fit the clusters, most cells are empty. If cells fit the rest, many circles of a cluster share a cell.',
  bullets:
    'The bounding box of a bullet covers its path in a frame. If cells fit the circles, bullets cover too many ' +
    'cells: they are tested with all others.',
  'far away': 'A few circles are far away. A grid that reaches them is mostly empty.',
};

/** Half the side of the visible square, around (0, 0). */
export const half = 500;

export function makeScene(name: SceneName, count: number, seed: number): Scene {
  const next = random(seed);
  const positions = new Float32Array(2 * count);
  const radii = new Float32Array(count);
  const ways = new Float32Array(2 * count);
  const bell = () => next() + next() + next() - 1.5; // about a normal distribution
  const centres = Array.from({ length: 9 }, () => [(next() - 0.5) * 1.7 * half, (next() - 0.5) * 1.7 * half] as const);
  const usual = half / Math.sqrt(count) / 1.8;
  for (let i = 0; i < count; ++i) {
    let x = (2 * next() - 1) * half;
    let y = (2 * next() - 1) * half;
    let radius = usual * (0.7 + 0.6 * next());
    if (name === 'giant in dust') {
      const giant = i < 6;
      radius = giant ? half * (0.1 + 0.16 * next()) : usual * 0.45;
      x *= giant ? 0.75 : 1;
      y *= giant ? 0.75 : 1;
    } else if (name === 'clusters' && i > count * 0.04) {
      const [cx, cy] = centres[i % centres.length]!;
      x = cx + bell() * half * 0.09;
      y = cy + bell() * half * 0.09;
      radius = usual * 0.2;
    } else if (name === 'bullets' && i < 8) {
      const angle = 2 * Math.PI * next();
      ways[2 * i] = 0.5 * half * Math.cos(angle);
      ways[2 * i + 1] = 0.5 * half * Math.sin(angle);
    } else if (name === 'far away' && i < 12) {
      x *= 60;
      y *= 60;
    }
    positions[2 * i] = x;
    positions[2 * i + 1] = y;
    radii[i] = radius;
  }
  return { positions, radii, ways };
}

/** Returns a coordinate in the picture: wraps around at its sides. */
function wrapped(x: number): number {
  return x - 2 * half * Math.floor((x + half) / (2 * half));
}

/** Returns the circles after some frames: bullets fly, the others quiver, so that there is work to do. */
export function moved({ positions, radii, ways }: Scene, frame: number): Scene {
  const now = positions.slice();
  const time = frame / 60;
  for (let i = 0; i < radii.length; ++i) {
    const [wayX, wayY] = [ways[2 * i]!, ways[2 * i + 1]!];
    if (wayX !== 0 || wayY !== 0) {
      now[2 * i] = wrapped(now[2 * i]! + wayX * frame);
      now[2 * i + 1] = wrapped(now[2 * i + 1]! + wayY * frame);
    } else {
      now[2 * i]! += Math.sin(3 * time + i) * radii[i]! * 0.4;
      now[2 * i + 1]! += Math.cos(2.3 * time + 2 * i) * radii[i]! * 0.4;
    }
  }
  return { positions: now, radii, ways };
}

/** Returns the boxes of the circles with their paths: min x, min y, max x, max y [n][4]. */
export function boxesOf({ positions, radii, ways }: Scene): Float32Array {
  const boxes = new Float32Array(4 * radii.length);
  for (let i = 0; i < radii.length; ++i) {
    const [x, y, r] = [positions[2 * i]!, positions[2 * i + 1]!, radii[i]!];
    const [farX, farY] = [x + ways[2 * i]!, y + ways[2 * i + 1]!];
    boxes.set([Math.min(x, farX) - r, Math.min(y, farY) - r, Math.max(x, farX) + r, Math.max(y, farY) + r], 4 * i);
  }
  return boxes;
}
