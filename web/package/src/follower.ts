import { BroadPhase, type BodyType } from './broad_phase.js';
import type { Filter } from './filter.js';

const most = 3.4028234663852886e38; // the largest float
const least = 2 ** -149; // the smallest above 0

// A float at or below a double, and one at or above it, within the range of float. A unit in the last place of a float
// is at most 2^-23 of its size, so a step of that size survives the rounding.

function floatBelow(x: number): number {
  const cut = Math.max(-most, Math.min(most, x));
  const nearest = Math.fround(cut);
  if (nearest <= cut) {
    return nearest;
  }
  return Math.max(-most, Math.fround(cut - Math.abs(cut) * 2 ** -23 - least));
}

function floatAbove(x: number): number {
  return -floatBelow(-x);
}

/**
 * Copies pairs sorted by their first (`which` 0) or second (1) place, which is less than `places`: a counting sort.
 * `ends` is memory for `places` + 1 numbers.
 */
function sortPairs(from: Uint32Array, to: Uint32Array, count: number, which: 0 | 1, ends: Uint32Array, places: number): void {
  ends.fill(0, 0, places + 1);
  for (let i = which; i < count; i += 2) {
    ++ends[from[i]! + 1]!;
  }
  for (let place = 0; place < places; ++place) {
    ends[place + 1]! += ends[place]!;
  }
  for (let i = 0; i < count; i += 2) {
    const at = 2 * ends[from[i + which]!]!++;
    to[at] = from[i]!;
    to[at + 1] = from[i + 1]!;
  }
}

/** Whether the lower or the higher place of a pair comes first. */
export type PairOrder = 'lower first' | 'higher first';

/**
 * A broad phase for the bodies of another engine, whose boxes are doubles and which have an order of their own.
 *
 * It keeps the boxes as floats, rounded outwards, and returns the pairs whose doubles touch. It refuses nothing: boxes
 * may be infinite, and a box with NaN is in no pair.
 */
export class Follower {
  #latest = new Float64Array(0); // [index][4], the boxes as last set
  #places = new Uint32Array(0); // [index], the latest places in the owner's order
  #moved = new Uint32Array(0); // since the last flush
  #movedCorners = new Float32Array(0);
  #movedCount = 0;
  #pairs = new Uint32Array(0);
  #sorted = new Uint32Array(0);
  #ends = new Uint32Array(0);
  readonly #phase: BroadPhase;

  constructor(phase = new BroadPhase()) {
    this.#phase = phase;
  }

  /**
   * Adds a box of no size, and returns its index; call `place` and `follow` for it before the next `findPairs`.
   */
  add(type: BodyType): number {
    const index = this.#phase.add([0, 0, 0, 0], type)[0] as number;
    if (index >= this.#places.length) {
      this.#grow(2 * index + 16);
    }
    this.#latest.fill(0, 4 * index, 4 * index + 4);
    return index;
  }

  /**
   * Removes a box; its index may be reused. Not allowed for a box that was passed to `follow` since the last
   * `findPairs` or query.
   */
  remove(index: number): void {
    this.#phase.remove(index);
  }

  /** Sets the filter of a box. */
  setFilter(index: number, filter: Filter): void {
    this.#phase.setFilter(index, filter);
  }

  /** Sets the place of a box in the owner's order. */
  place(index: number, place: number): void {
    this.#places[index] = place;
  }

  /** Sets a box; at most once a box before the next `findPairs` or query. */
  follow(index: number, minX: number, minY: number, maxX: number, maxY: number): void {
    const latest = this.#latest;
    const at = 4 * index;
    // Most bodies of most worlds stay where they are.
    if (latest[at] === minX && latest[at + 1] === minY && latest[at + 2] === maxX && latest[at + 3] === maxY) {
      return;
    }
    latest[at] = minX;
    latest[at + 1] = minY;
    latest[at + 2] = maxX;
    latest[at + 3] = maxY;
    let left = floatBelow(minX);
    let low = floatBelow(minY);
    let right = floatAbove(maxX);
    let high = floatAbove(maxY);
    if (!(left <= right && low <= high)) {
      // Far away, each in another place: a broken simulation has very many of them.
      left = right = most;
      low = high = index;
    }
    const to = 4 * this.#movedCount;
    this.#movedCorners[to] = left;
    this.#movedCorners[to + 1] = low;
    this.#movedCorners[to + 2] = right;
    this.#movedCorners[to + 3] = high;
    this.#moved[this.#movedCount++] = index;
  }

  /**
   * Finds all pairs of places: [first, second, first, second, ...], ascending by the first, then by the second; all
   * places are less than `places`. Valid until the next call. Complexity: O(places + pairs) beyond that of finding them.
   */
  findPairs(places: number, order: PairOrder): Uint32Array {
    this.#flush();
    const pairs = this.#phase.findPairs();
    if (pairs.length > this.#pairs.length) {
      this.#pairs = new Uint32Array(2 * pairs.length);
      this.#sorted = new Uint32Array(2 * pairs.length);
    }
    if (places >= this.#ends.length) {
      this.#ends = new Uint32Array(2 * places + 1);
    }
    const found = this.#pairs;
    const placeOf = this.#places;
    const latest = this.#latest;
    const higherFirst = order === 'higher first';
    let count = 0;
    for (let i = 0; i < pairs.length; i += 2) {
      const a = pairs[i]!;
      const b = pairs[i + 1]!;
      if (
        latest[4 * a]! <= latest[4 * b + 2]! &&
        latest[4 * b]! <= latest[4 * a + 2]! &&
        latest[4 * a + 1]! <= latest[4 * b + 3]! &&
        latest[4 * b + 1]! <= latest[4 * a + 3]!
      ) {
        const isOrdered = placeOf[a]! > placeOf[b]! === higherFirst;
        found[count++] = placeOf[isOrdered ? a : b]!;
        found[count++] = placeOf[isOrdered ? b : a]!;
      }
    }
    // Stable: the second pass keeps the order of the first among pairs of the same first place.
    sortPairs(found, this.#sorted, count, 1, this.#ends, places);
    sortPairs(this.#sorted, found, count, 0, this.#ends, places);
    return found.subarray(0, count);
  }

  /**
   * Finds the places of the boxes that overlap an area, ascending. May also return boxes close to it, and boxes with
   * NaN: callers compare the doubles.
   */
  queryArea(minX: number, minY: number, maxX: number, maxY: number): Uint32Array {
    this.#flush();
    const min = { x: floatBelow(minX), y: floatBelow(minY) };
    const max = { x: floatAbove(maxX), y: floatAbove(maxY) };
    if (!(min.x <= max.x && min.y <= max.y)) {
      return new Uint32Array(0);
    }
    return this.#phase
      .queryArea({ min, max })
      .map((index) => this.#places[index] as number)
      .sort();
  }

  #flush(): void {
    if (this.#movedCount > 0) {
      this.#phase.move(this.#moved.subarray(0, this.#movedCount), this.#movedCorners.subarray(0, 4 * this.#movedCount));
      this.#movedCount = 0;
    }
  }

  #grow(size: number): void {
    const latest = new Float64Array(4 * size);
    latest.set(this.#latest);
    this.#latest = latest;
    const places = new Uint32Array(size);
    places.set(this.#places);
    this.#places = places;
    const moved = new Uint32Array(size);
    moved.set(this.#moved);
    this.#moved = moved;
    const corners = new Float32Array(4 * size);
    corners.set(this.#movedCorners);
    this.#movedCorners = corners;
  }
}
