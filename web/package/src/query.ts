import type { Body } from './body.js';
import type { Point } from './geometry.js';

/** A body that a ray or a moving shape meets, when and where. */
export interface Hit {
  /** Who is met. */
  readonly body: Body;
  /** As share of the way, in [0, 1]. */
  readonly time: number;
  /** Of a ray: away from the body. Of a moving shape: from it to the body. The zero vector where it began inside. */
  readonly normal: Point;
  /** Where they meet (world). */
  readonly point: Point;
}

/** A body near a point. */
export interface NearBody {
  /** Who is near. */
  readonly body: Body;
  /** 0 where the body contains the point (unit: length). */
  readonly distance: number;
  /** Of the body, closest to the one asked for. */
  readonly point: Point;
}

/** What a body does that meets another on its way. */
export type Meeting = 'slide' | 'bounce' | 'cross' | 'touch';

export const meetings: readonly Meeting[] = ['slide', 'bounce', 'cross', 'touch'];

/** A body in the way of another. */
export interface Obstacle {
  /** The obstacle. */
  readonly body: Body;
  /** Unit vector from the moving body to the obstacle (world). */
  readonly normal: Point;
  /** Where they touch (world; unit: length). */
  readonly point: Point;
  /** The motion that is left there (unit: length). */
  readonly motion: Point;
  /** How far they overlapped before; 0 or more (unit: length). */
  readonly depth: number;
  /**
   * Whether the body overlapped the obstacle by its own doing: it was passing through it at the end of its last
   * `moveAndSlide`, or something else moved it since. False where the obstacle moved into the body.
   */
  readonly wasInside: boolean;
}

/** Options of `World.moveAndSlide`. */
export interface SlideOptions {
  /**
   * Decides what to do about an obstacle. If not given, the body slides, and crosses sensors. It may change the world;
   * bodies that it removes are not met.
   */
  readonly meet?: (obstacle: Obstacle) => Meeting;
  /** Obstacles that turn the motion; after these the rest of it is given up. 8 if not given. */
  readonly maxHits?: number;
  /**
   * Gap kept to walls and ceilings: finite, 0 or more; 0, as if not given, stands for a thousandth of the size of the
   * body. Raised to 4 ulps of the largest coordinate of the body's box, below which rounding would eat it
   * (unit: length).
   */
  readonly skin?: number;
  /**
   * Direction against which the body can stand: a unit vector. Zero, as if not given, stands for the direction against
   * the gravity of the world; if that is zero, too, nothing is ground and nothing carries the body.
   */
  readonly up?: Point;
}

/** An obstacle and the answer to it. */
export interface SlideHit extends Obstacle {
  /** What the body did. */
  readonly meeting: Meeting;
}

/** Result of `World.moveAndSlide`. */
export interface SlideResult {
  /** Of the body (world; unit: length). */
  readonly position: Point;
  /** The motion that was left, turned along the obstacle met last; as a velocity it is what remains of it. */
  readonly rest: Point;
  /** In the order in which they were met. */
  readonly hits: readonly SlideHit[];
  /**
   * What the body stands on, if anything: its surface is turned by less than 60 degrees from level, and the body
   * touches it.
   */
  readonly ground: Obstacle | undefined;
}

/** The questions of `World`, by the numbers that the module knows them by. */
export const question = { area: 0, point: 1, shape: 2, ray: 3, cast: 4, nearest: 5 } as const;
