/** A point or a vector (unit: length). */
export interface Point {
  /** Along the first axis. */
  readonly x: number;
  /** Along the second axis. */
  readonly y: number;
}

/** A closed axis-aligned box (unit: length). */
export interface Aabb {
  /** The corner with the smallest x and y. */
  readonly min: Point;
  /** The corner with the largest x and y. */
  readonly max: Point;
}

/** A rotation, stored as cosine and sine so that quarter turns are exact. Squares sum up to 1. */
export interface Rotation {
  /** Cosine of the angle. */
  readonly cos: number;
  /** Sine of the angle. */
  readonly sin: number;
}

/** A position, and an angle (unit: radian) or a rotation, not both (`invalid_argument`); not rotated by default. */
export interface Placement extends Point {
  /** Counter-clockwise where y points up (unit: radian). */
  readonly angle?: number;
  /** Instead of an angle: both are refused. */
  readonly rotation?: Rotation;
}
