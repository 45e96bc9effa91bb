import type { BodyOptions } from './body.js';
import type { TechniqueName, TechniqueOptions } from './broad_phase.js';
import type { Point } from './geometry.js';

/** Which comes first in a step: finding contacts, or the motion of bodies. */
export type StepOrder = 'detect first' | 'motion first';

/** Options of a `World`. */
export interface WorldOptions {
  /** `listeners`: pairs that no listener waits for are not tested; `all` if not given. */
  readonly interest?: 'all' | 'listeners';
  /**
   * `bounce`: bodies that touch are moved apart and bounce off each other, by their masses; sensors let through. It is
   * no solver for stacks: bodies on a floor rest, but piles of them sink into each other. `none` if not given.
   */
  readonly response?: 'none' | 'bounce';
  /**
   * `detect first`: contacts are those before the motion of the step; `motion first`: those after it, of the places
   * where bodies are drawn, except for those that the response moves. If not given, `motion first` with `bounce`, which
   * has no other, and `detect first` without.
   */
  readonly order?: StepOrder;
  /** In [0, 1]: 1 bounces off as fast as it came, 0 not at all; 1 if not given. */
  readonly restitution?: number;
  /** Of dynamic bodies (unit: length per second squared). */
  readonly gravity?: Point;
  /**
   * A contact ends when the gap between the bodies exceeds this. More than 0 keeps bodies that touch exactly from
   * beginning and ending in turn; their `separation` is then above 0. Finite, 0 or more; 0 if not given (unit: length).
   */
  readonly endMargin?: number;
  /** Of the broad phase; the last of `techniqueNames` if not given. */
  readonly technique?: TechniqueName;
  /** For that technique. */
  readonly techniqueOptions?: TechniqueOptions;
}

/** Circles to be added in bulk: what is not theirs alone is told once. */
export interface CirclesOptions extends Omit<BodyOptions, 'shape' | 'shapes' | 'position' | 'velocity' | 'userData'> {
  /** Their centers [n][2]. */
  readonly positions: ArrayLike<number>;
  /** [n], or one for all (unit: length). */
  readonly radii: ArrayLike<number> | number;
  /** [n][2]; 0 if not told (unit: length per second). */
  readonly velocities?: ArrayLike<number>;
}
