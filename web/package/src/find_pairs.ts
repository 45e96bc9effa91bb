import { allocate, bytesAt, check, engine, floatsAt, lend, rangeAt, wordsAt } from './engine.js';
import { BroadsideError } from './errors.js';

/** Boxes in the module's own memory: what is written there need not be copied for a call. */
export class BoxArray {
  /** Where they begin in the module's memory. */
  readonly at: number;
  #released = false;

  /** Makes room for `length` boxes, all of them the point (0, 0). */
  constructor(
    /** How many boxes there are. */
    readonly length: number,
  ) {
    if (!Number.isInteger(length) || length < 0) {
      throw new BroadsideError('invalid_argument', `the number of boxes is ${length}; it must be a whole number`);
    }
    this.at = allocate(Math.max(16, 16 * length));
    bytesAt(this.at, 16 * length).fill(0);
  }

  /**
   * The boxes [length][4]: min x, min y, max x, max y.
   *
   * Ask for it anew in each frame: memory may grow in any call, and a view from before is empty then, while
   * what it showed is still there.
   */
  get view(): Float32Array {
    return floatsAt(this.place, 4 * this.length);
  }

  /** @internal Where they begin, as long as they are there. */
  get place(): number {
    if (this.#released) {
      throw new BroadsideError('stale_id', 'these boxes were given back');
    }
    return this.at;
  }

  /** Gives the memory back. */
  release(): void {
    if (!this.#released) {
      this.#released = true;
      engine().release(this.at);
    }
  }
}

/** What `findPairs` may be told. */
export interface FindPairsOptions {
  /** Sort the pairs by (a, b); otherwise the order is fixed by the boxes, but arbitrary. */
  readonly sorted?: boolean;
  /** More are the error `too_many_pairs`, never cut off silently. */
  readonly maxPairs?: number;
}

function placeOf(boxes: Float32Array): number {
  if (boxes.buffer === engine().memory.buffer) {
    return boxes.byteOffset; // it would be empty, had memory to grow for a copy
  }
  const at = lend(boxes.byteLength);
  floatsAt(at, boxes.length).set(boxes);
  return at;
}

/**
 * Finds all pairs of boxes that overlap, touching ones included: each once, the lower position first.
 *
 * @param boxes [n][4]: min x, min y, max x, max y. A `BoxArray` is read where it is; others are copied first.
 * @returns positions [p][2], a view into the module's memory: valid until the next call of the package, so copy
 * what is to stay (`slice`)
 * @throws BroadsideError `not_finite` or `inverted_box`, naming the first such box; `too_many_pairs`
 */
export function findPairs(boxes: Float32Array | BoxArray, options: FindPairsOptions = {}): Uint32Array {
  if (boxes.length % 4 !== 0 && !(boxes instanceof BoxArray)) {
    throw new BroadsideError(
      'invalid_argument',
      `boxes are four numbers each, and there are ${boxes.length} of them`,
    );
  }
  const at = boxes instanceof BoxArray ? boxes.place : placeOf(boxes);
  const n = boxes instanceof BoxArray ? boxes.length : boxes.length / 4;
  const e = engine();
  check(e.find_pairs(at, n, options.sorted ?? false, options.maxPairs ?? -1));
  const found = rangeAt(e.pairs_found());
  return wordsAt(found.at, 2 * found.size);
}
