/** A point or a vector (unit: length). */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A closed box along the axes (unit: length). */
export interface Aabb {
  readonly min: Point;
  readonly max: Point;
}

/** A rotation, kept as cosine and sine so that quarter turns are exact. */
export interface Rotation {
  readonly cos: number;
  readonly sin: number;
}

/** A position, and an angle (unit: radian) or a rotation; no turn where neither is told. */
export interface Placement extends Point {
  readonly angle?: number;
  readonly rotation?: Rotation;
}
