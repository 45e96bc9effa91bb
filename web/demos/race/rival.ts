/** Somebody else's way to find out who touches. */
export interface Rival {
  /** Brings the circles to where they are now: [n][2]. Not timed, as moving is not in ours. */
  move(positions: Float32Array): void;
  /** Finds who touches. Timed. */
  find(): void;
  /** Returns how many pairs touch. */
  touching(): number;
  /** Returns how many pairs of circles were compared; undefined if it does not tell. */
  tests(): number | undefined;
  /** Returns those that a circle was compared with, as far as it tells: no fewer than it touches. */
  comparedWith(circle: number): number[];
  release(): void;
}
