import type { Aabb, Point } from 'broadside';

/** Tells whether two boxes touch. */
export function touch(a: Aabb, b: Aabb): boolean {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

/** Returns a box that is larger by a margin on all sides. */
export function grown({ min, max }: Aabb, margin: number): Aabb {
  return {
    min: { x: min.x - margin, y: min.y - margin },
    max: { x: max.x + margin, y: max.y + margin },
  };
}

/** Returns how far a point is from a box; 0 within. */
export function distanceTo({ min, max }: Aabb, { x, y }: Point): number {
  return Math.hypot(Math.max(min.x - x, 0, x - max.x), Math.max(min.y - y, 0, y - max.y));
}

/** Tells whether the line between two points touches a box. Source: the slab test of T. Kay, J. Kajiya, 1986. */
export function isCrossed({ min, max }: Aabb, from: Point, to: Point): boolean {
  let enter = 0;
  let leave = 1;
  for (const axis of ['x', 'y'] as const) {
    const way = to[axis] - from[axis];
    const near = (min[axis] - from[axis]) / way;
    const far = (max[axis] - from[axis]) / way;
    if (way !== 0) {
      enter = Math.max(enter, Math.min(near, far));
      leave = Math.min(leave, Math.max(near, far));
    } else if (from[axis] < min[axis] || from[axis] > max[axis]) {
      return false;
    }
  }
  return enter <= leave;
}
