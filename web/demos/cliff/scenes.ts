import { random } from '../shared/random';

/** Circles that stand still, as a fixed grid likes them or not. */
export interface Still {
  /** [n][2] */
  readonly positions: Float32Array;
  /** [n] */
  readonly radii: Float32Array;
}

export const sceneNames = ['even', 'giant in dust', 'clusters', 'far away'] as const;
export type SceneName = (typeof sceneNames)[number];

/** What is wrong with the scene, if one has to choose a cell size. */
export const trouble: Readonly<Record<SceneName, string>> = {
  even: 'All alike. A fixed grid is fine, if somebody finds the size.',
  'giant in dust': 'Right for the dust, and giants are in thousands of cells. Right for giants, and all dust is in one.',
  clusters: 'Right for the crowds, and the rest of the world is empty cells. Right for the rest, and crowds share cells.',
  'far away': 'A few bodies far out: what has to reach them is mostly empty.',
};

/** Half the side of the square that the scene is seen in, around (0, 0). */
export const half = 500;

export function makeScene(name: SceneName, count: number, seed: number): Still {
  const next = random(seed);
  const positions = new Float32Array(2 * count);
  const radii = new Float32Array(count);
  const bell = () => next() + next() + next() - 1.5; // about normal
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
    } else if (name === 'far away' && i < 12) {
      x *= 60;
      y *= 60;
    }
    positions[2 * i] = x;
    positions[2 * i + 1] = y;
    radii[i] = radius;
  }
  return { positions, radii };
}

/** Returns the boxes of circles: min x, min y, max x, max y [n][4]. */
export function boxesOf({ positions, radii }: Still): Float32Array {
  const boxes = new Float32Array(4 * radii.length);
  for (let i = 0; i < radii.length; ++i) {
    const [x, y, r] = [positions[2 * i]!, positions[2 * i + 1]!, radii[i]!];
    boxes.set([x - r, y - r, x + r, y + r], 4 * i);
  }
  return boxes;
}
