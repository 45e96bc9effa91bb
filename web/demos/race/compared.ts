import type { Aabb, TechniqueName } from 'broadside';
import type { Crowd } from '../shared/crowd';

function touch(a: Aabb, b: Aabb): boolean {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

/**
 * Returns the circles that a technique compares a circle with: all for brute force, those in the same cells for the
 * grids. The other techniques do not report their tests; for them it is the circles whose boxes touch, the minimum.
 */
export function comparedWith(
  technique: TechniqueName,
  crowd: Crowd,
  positions: Float32Array,
  circle: number,
): number[] {
  const others = Array.from({ length: crowd.length }, (_, i) => i).filter((i) => i !== circle);
  if (technique === 'brute-force') {
    return others;
  }
  if (technique === 'uniform-grid' || technique === 'hash-grid') {
    const boxOf = (i: number): Aabb => {
      const [x, y, r] = [positions[2 * i]!, positions[2 * i + 1]!, crowd.radii[i]!];
      return { min: { x: x - r, y: y - r }, max: { x: x + r, y: y + r } };
    };
    const mine = boxOf(circle);
    const cells = crowd.world.cells().filter((cell) => touch(cell, mine));
    return others.filter((i) => cells.some((cell) => touch(cell, boxOf(i))));
  }
  const body = crowd.body(circle);
  const candidates = body === undefined ? [] : crowd.world.candidates(body);
  return candidates.map((one) => crowd.indexOf(one)).filter((i) => i >= 0);
}
