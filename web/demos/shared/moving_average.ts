/** A mean in which each new value has a weight of a tenth; the first value is taken as it is. */
export class MovingAverage {
  #mean: number | undefined;

  /** The mean; 0 without values. */
  get value(): number {
    return this.#mean ?? 0;
  }

  /** Adds a value. */
  add(value: number): void {
    const before = this.#mean ?? value;
    this.#mean = before + (value - before) * 0.1;
  }

  /** Forgets all values. */
  forget(): void {
    this.#mean = undefined;
  }
}
