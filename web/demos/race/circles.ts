/** The circles that a rival gets, with their positions. */
export class Circles {
  #positions: Float32Array;

  /** Positions [n][2] and radii [n]. */
  constructor(
    positions: Float32Array,
    readonly radii: Float32Array,
  ) {
    this.#positions = positions.slice();
  }

  get length(): number {
    return this.radii.length;
  }

  x(i: number): number {
    return this.#positions[2 * i]!;
  }

  y(i: number): number {
    return this.#positions[2 * i + 1]!;
  }

  radius(i: number): number {
    return this.radii[i]!;
  }

  moveTo(positions: Float32Array): void {
    this.#positions.set(positions);
  }

  touch(i: number, j: number): boolean {
    return Math.hypot(this.x(i) - this.x(j), this.y(i) - this.y(j)) <= this.radius(i) + this.radius(j);
  }
}
