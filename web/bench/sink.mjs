/** Collects the pairs that a contender finds. */
export class Sink {
  constructor() {
    this.pairs = new Uint32Array(1 << 16);
    this.size = 0;
  }

  clear() {
    this.size = 0;
  }

  add(a, b) {
    if (this.size + 2 > this.pairs.length) {
      const pairs = new Uint32Array(2 * this.pairs.length);
      pairs.set(this.pairs);
      this.pairs = pairs;
    }
    this.pairs[this.size++] = a;
    this.pairs[this.size++] = b;
  }

  found() {
    return this.pairs.subarray(0, this.size);
  }
}

/** Returns a contender that does not copy the boxes: `find(corners, sink)` adds the pairs of a frame to the sink. */
export function contenderOn(boxes, find) {
  const sink = new Sink();
  let corners = boxes;
  return {
    write: (written) => (corners = written),
    find: () => {
      sink.clear();
      find(corners, sink);
    },
    pairs: () => sink.found(),
  };
}
