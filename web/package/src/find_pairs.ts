import { allocate, bytesAt, check, engine, floatsAt, Held, lend, rangeAt, wordsAt } from './engine.js';
import { invalid } from './errors.js';
import { refusing } from './refusing.js';

// Keeps the boxes as long as one of their views.
const owners = new WeakMap<Float32Array, BoxArray>();

/** Boxes in the module's memory: calls need not copy them. */
export class BoxArray extends Held {
  /** Their address in the module's memory. */
  readonly at: number;

  /** Allocates `length` boxes, all of them the point (0, 0). */
  constructor(
    /** The number of boxes. */
    readonly length: number,
  ) {
    super();
    refusing('new BoxArray', () => {
      if (!Number.isInteger(length) || length < 0) {
        throw invalid(`${length} is no number of boxes`);
      }
    });
    const at = allocate(Math.max(16, 16 * length));
    this.at = at;
    this.hold(() => engine().release(at));
    bytesAt(at, 16 * length).fill(0);
  }

  /**
   * The boxes [length][4]: min x, min y, max x, max y.
   *
   * Read this property again in each frame: memory may grow in any call, and then an older view becomes empty. The
   * boxes stay.
   */
  get view(): Float32Array {
    const boxes = floatsAt(this.place, 4 * this.length);
    owners.set(boxes, this);
    return boxes;
  }

  /** @internal Their address; throws once they are released. */
  get place(): number {
    this.expectHeld('box array');
    return this.at;
  }
}

/** Options of `findPairs`. */
export interface FindPairsOptions {
  /** Sorts the pairs by (a, b); otherwise the order is deterministic, but arbitrary. */
  readonly sorted?: boolean;
  /**
   * More pairs than this throw `too_many_pairs`; they are never cut off silently. 100 million by default, which take 800
   * MB.
   */
  readonly maxPairs?: number;
}

const maxPairs = 100_000_000;

function placeOf(boxes: Float32Array): number {
  if (boxes.length !== 4 * (owners.get(boxes)?.length ?? boxes.length / 4)) {
    throw invalid('memory has grown: read `view` again');
  }
  if (boxes.buffer === engine().memory.buffer) {
    return boxes.byteOffset; // not copied: if memory grew for the copy, the view would become empty
  }
  const at = lend(4 * boxes.length);
  floatsAt(at, boxes.length).set(boxes);
  return at;
}

/**
 * Finds all pairs of boxes that overlap, touching ones included: each once, the lower position first.
 *
 * @param boxes [n][4]: min x, min y, max x, max y. A `BoxArray` is read where it is; others are copied first.
 * @returns positions [p][2], a view into the module's memory: valid until the next call of the package; `slice` it to
 * keep it
 * @throws BroadsideError `not_finite` or `inverted_box`, with the index of the first such box; `too_many_pairs`
 */
export function findPairs(boxes: Float32Array | BoxArray, options: FindPairsOptions = {}): Uint32Array {
  return refusing('findPairs', () => found(boxes, options));
}

function found(boxes: Float32Array | BoxArray, options: FindPairsOptions): Uint32Array {
  if (boxes.length % 4 !== 0 && !(boxes instanceof BoxArray)) {
    throw invalid(`boxes are four numbers each, and there are ${boxes.length} of them`);
  }
  const at = boxes instanceof BoxArray ? boxes.place : placeOf(boxes);
  const n = boxes instanceof BoxArray ? boxes.length : boxes.length / 4;
  const e = engine();
  check(e.find_pairs(at, n, options.sorted ?? false, options.maxPairs ?? maxPairs));
  const { at: first, size } = rangeAt(e.pairs_found());
  return wordsAt(first, 2 * size);
}
