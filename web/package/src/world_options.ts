import type { BodyOptions } from './body.js';
import type { TechniqueName, TechniqueOptions } from './broad_phase.js';
import type { Point } from './geometry.js';

/** Which comes first in a step: finding contacts, or the motion of bodies. */
export type StepOrder = 'detect first' | 'motion first';

/** Options of a `World`. */
export interface WorldOptions {
  /** `listeners`: only pairs with a sensor and pairs that a listener waits for are tested; `all` by default. */
  readonly interest?: 'all' | 'listeners';
  /**
   * `bounce`: bodies that touch are moved apart and bounce off each other, by their masses; sensors have no response.
   * It is not a solver for stacks: bodies on a floor rest, but piles sink into each other. `none` by default.
   */
  readonly response?: 'none' | 'bounce';
  /**
   * `detect first`: contacts are found before the motion of the step; `motion first`: after it, at the positions at
   * which bodies are drawn, except for bodies that the response moves. The default is `motion first` with `bounce`,
   * which allows no other order, and `detect first` otherwise.
   */
  readonly order?: StepOrder;
  /** In [0, 1]: with 1 a body bounces off as fast as it came, with 0 not at all; 1 by default. */
  readonly restitution?: number;
  /** Of dynamic bodies (unit: length per second squared). */
  readonly gravity?: Point;
  /**
   * A contact ends when the gap between the bodies exceeds this. More than 0 keeps bodies that touch exactly from
   * beginning and ending in turn; their `separation` is then above 0. Finite, 0 or more; 0 by default (unit: length).
   */
  readonly endMargin?: number;
  /** Of the broad phase; by default the last of `techniqueNames`. */
  readonly technique?: TechniqueName;
  /** Options of the technique. */
  readonly techniqueOptions?: TechniqueOptions;
}

/** Circles to add in bulk; all other options are common to all of them. */
export interface CirclesOptions extends Omit<BodyOptions, 'shape' | 'shapes' | 'position' | 'velocity' | 'userData'> {
  /** Their centers [n][2]. */
  readonly positions: ArrayLike<number>;
  /** [n], or one radius for all (unit: length). */
  readonly radii: ArrayLike<number> | number;
  /** [n][2]; 0 by default (unit: length per second). */
  readonly velocities?: ArrayLike<number>;
}
