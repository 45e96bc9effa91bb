/** Another library that finds the touching circles. */
export interface Rival {
  /** Sets the positions of the circles: [n][2]. Not timed, as in ours. */
  move(positions: Float32Array): void;
  /** Finds the touching circles. Timed. */
  find(): void;
  /** Returns the number of touching pairs. */
  touching(): number;
  /** Returns the number of pairs that were compared; undefined if it is unknown. */
  tests(): number | undefined;
  /** Returns the circles that a circle was compared with, as far as known: at least those that it touches. */
  comparedWith(circle: number): number[];
  release(): void;
}
