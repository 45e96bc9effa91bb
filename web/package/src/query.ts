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

/** Somebody in the way. */
export interface Obstacle {
  /** Who it is. */
  readonly body: Body;
  /** Unit vector from who moves to the obstacle. */
  readonly normal: Point;
  /** Where they meet (world). */
  readonly point: Point;
  /** What is left of the way there (unit: length). */
  readonly motion: Point;
  /** How far they were inside each other before (unit: length). */
  readonly depth: number;
}

/** What `World.moveAndSlide` may be told. */
export interface SlideOptions {
  /**
   * Says what to do about an obstacle; if not told, to slide, and to cross sensors. It may change the world, and
   * remove the obstacle.
   */
  readonly meet?: (obstacle: Obstacle) => Meeting;
  /** Obstacles that turn the way; 8 if not told. */
  readonly mostHits?: number;
  /** Kept between surfaces; a thousandth of the size of the body if not told (unit: length). */
  readonly skin?: number;
}

/** Somebody who was in the way. */
export interface SlideHit extends Obstacle {
  /** What was done about it. */
  readonly meeting: Meeting;
}

/** Where a body came to. */
export interface SlideResult {
  /** Of the body, now. */
  readonly position: Point;
  /** What is left of the way, turned along what was met last. */
  readonly rest: Point;
  /** Who was met, in order. */
  readonly hits: readonly SlideHit[];
}

/** The questions of `World`, by the numbers that the module knows them by. */
export const question = { area: 0, point: 1, shape: 2, ray: 3, cast: 4, nearest: 5 } as const;
