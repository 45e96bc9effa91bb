/** A point or a vector (unit: length). */
export interface Point {
  /** Along the first axis. */
  readonly x: number;
  /** Along the second axis. */
  readonly y: number;
}

/** A closed box along the axes (unit: length). */
export interface Aabb {
  /** The corner of the least x and y. */
  readonly min: Point;
  /** The corner of the greatest x and y. */
  readonly max: Point;
}

/** A rotation, kept as cosine and sine so that quarter turns are exact. */
export interface Rotation {
  /** Of the angle. */
  readonly cos: number;
  /** Of the angle. */
  readonly sin: number;
}

/** A position, and an angle (unit: radian) or a rotation; no turn where neither is told. */
export interface Placement extends Point {
  /** (unit: radian) */
  readonly angle?: number;
  /** Instead of an angle. */
  readonly rotation?: Rotation;
}
