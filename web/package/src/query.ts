import type { Body } from './body.js';
import type { Point } from './geometry.js';

/** A body that a ray or a moving shape hits. */
export interface Hit {
  /** The body that is hit. */
  readonly body: Body;
  /** Fraction of the motion, in [0, 1]; 0 only if they touch at the start. */
  readonly fraction: number;
  /** Outward unit normal of the surface that is hit (world): it points against the motion. */
  readonly normal: Point;
  /** The hit point (world). */
  readonly point: Point;
}

/** A body near a point. */
export interface Nearest {
  /** The body. */
  readonly body: Body;
  /** 0 where the body contains the point (unit: length). */
  readonly distance: number;
  /** The point of the body that is closest to the given one. */
  readonly point: Point;
}

/** How a moving body responds to an obstacle. */
export type SlideResponse = 'slide' | 'bounce' | 'cross' | 'touch';

/** A body in the path of another. */
export interface Obstacle {
  /** The obstacle. */
  readonly body: Body;
  /** Outward unit normal of the surface that is met (world): from the obstacle to the body. */
  readonly normal: Point;
  /** Where they touch (world; unit: length). */
  readonly point: Point;
  /** The remaining motion at that point (unit: length). */
  readonly motion: Point;
  /** How deep they overlapped before; 0 or more (unit: length). */
  readonly depth: number;
  /**
   * Whether the body itself caused the overlap: it was passing through the obstacle at the end of its last
   * `moveAndSlide`, or something else moved it since. False if the obstacle moved into the body.
   */
  readonly wasInside: boolean;
}

/** Options of `World.moveAndSlide`. */
export interface SlideOptions {
  /**
   * Returns the response to an obstacle. By default, the body slides, and crosses sensors. It may change the world;
   * bodies that it removes are not met.
   */
  readonly respond?: (obstacle: Obstacle) => SlideResponse;
  /** Obstacles that change the motion; after that many the body stops. 8 by default. */
  readonly maxHits?: number;
  /**
   * Gap kept to walls and ceilings: finite, 0 or more; 0, the default, stands for a thousandth of the size of the
   * body. Raised to 4 ulps of the largest coordinate of the body's box, since rounding would consume a smaller gap
   * (unit: length).
   */
  readonly skin?: number;
  /**
   * The up direction, for the ground: a unit vector. Zero, the default, stands for the direction opposite to the
   * gravity of the world; if that is zero too, nothing is ground and nothing carries the body.
   */
  readonly up?: Point;
}

/** An obstacle and the response to it. */
export interface SlideHit extends Obstacle {
  /** The response to the obstacle. */
  readonly response: SlideResponse;
}

/** Result of `World.moveAndSlide`. */
export interface SlideResult {
  /** The new position of the body (world; unit: length). */
  readonly position: Point;
  /** The remaining motion after the last obstacle; for a velocity passed as motion, the remaining velocity. */
  readonly remaining: Point;
  /** The obstacles in the order in which they were met. */
  readonly hits: readonly SlideHit[];
  /**
   * The ground that the body stands on and touches, if any: its surface is inclined by less than 60 degrees.
   */
  readonly ground: Obstacle | undefined;
}

/**
 * What many rays hit, as arrays: element i of each is of the i-th ray, and means what the property of `Hit` means. Views
 * into the module's memory, valid until the next call of the package.
 */
export interface RayArrays {
  /** The number of rays. */
  readonly length: number;
  /** Index and generation of the body: [length][2]; both 0 if the ray hits nothing. */
  readonly bodies: Uint32Array;
  /** How far it gets: [length]. */
  readonly fractions: Float32Array;
  /** Of the surfaces: [length][2]. */
  readonly normals: Float32Array;
  /** Where it hits: [length][2]. */
  readonly points: Float32Array;
}

/** The bodies in many areas as arrays, like `RayArrays`. */
export interface AreaArrays {
  /** The bodies of area i of n are those from `begins[i]` to `begins[i + 1]`: [n + 1]. */
  readonly begins: Uint32Array;
  /** Index and generation of the bodies: [begins[n]][2], those of an area ascending. */
  readonly bodies: Uint32Array;
}
