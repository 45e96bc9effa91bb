import type { BodyOptions } from './body.js';
import type { TechniqueName, TechniqueOptions } from './broad_phase.js';
import type { Point } from './geometry.js';

/** What a `World` may be told. */
export interface WorldOptions {
  /** `listeners`: pairs that no listener waits for are not even tested; `all` if not told. */
  readonly interest?: 'all' | 'listeners';
  /** `bounce`: bodies are thrown back, by their masses; `none` if not told. */
  readonly response?: 'none' | 'bounce';
  /** 1 bounces off as fast as it came, 0 not at all; 1 if not told. */
  readonly restitution?: number;
  /** Of dynamic bodies (unit: length per second squared). */
  readonly gravity?: Point;
  /** Of the broad phase; the last of `techniqueNames` if not told. */
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
