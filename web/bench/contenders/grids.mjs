import { contenderOn } from '../sink.mjs';
import { overlap } from '../boxes.mjs';

/**
 * A grid in plain JavaScript, as fast as we can make it: typed arrays, a counting sort of the boxes into their cells,
 * corners copied in the order of the cells, and each pair reported by the one cell that holds the lower left corner of
 * the intersection. A frame allocates only to grow.
 */
class Grid {
  constructor(width, height, cell, least) {
    this.inverse = 1 / cell;
    // One more row and column on each side for boxes outside the world, however far.
    this.columns = Math.ceil(width / cell) + 2;
    this.rows = Math.ceil(height / cell) + 2;
    this.starts = new Uint32Array(this.columns * this.rows + 1);
    this.entries = new Uint32Array(least);
    this.corners = new Float32Array(4 * least);
    this.ranges = new Int32Array(0);
  }

  column(x) {
    return Math.max(0, Math.min(this.columns - 1, Math.floor(x * this.inverse) + 1));
  }

  row(y) {
    return Math.max(0, Math.min(this.rows - 1, Math.floor(y * this.inverse) + 1));
  }

  build(boxes, from, to) {
    const { starts, columns } = this;
    if (this.ranges.length < 4 * to) {
      this.ranges = new Int32Array(4 * to);
    }
    const { ranges } = this;
    starts.fill(0);
    for (let i = 4 * from; i < 4 * to; i += 4) {
      const left = (ranges[i] = this.column(boxes[i]));
      const low = (ranges[i + 1] = this.row(boxes[i + 1]));
      const right = (ranges[i + 2] = this.column(boxes[i + 2]));
      const high = (ranges[i + 3] = this.row(boxes[i + 3]));
      for (let row = low; row <= high; ++row) {
        for (let cell = row * columns + left; cell <= row * columns + right; ++cell) {
          ++starts[cell];
        }
      }
    }
    let sum = 0;
    for (let cell = 0; cell < starts.length; ++cell) {
      sum += starts[cell];
      starts[cell] = sum; // the end; filling the cell backwards turns it into the start
    }
    if (this.entries.length < sum) {
      this.entries = new Uint32Array(2 * sum);
      this.corners = new Float32Array(8 * sum);
    }
    const { entries, corners } = this;
    for (let i = 4 * (to - 1); i >= 4 * from; i -= 4) {
      const right = ranges[i + 2];
      const high = ranges[i + 3];
      for (let row = ranges[i + 1]; row <= high; ++row) {
        for (let cell = row * columns + ranges[i]; cell <= row * columns + right; ++cell) {
          const at = --starts[cell];
          entries[at] = i >> 2;
          corners[4 * at] = boxes[i];
          corners[4 * at + 1] = boxes[i + 1];
          corners[4 * at + 2] = boxes[i + 2];
          corners[4 * at + 3] = boxes[i + 3];
        }
      }
    }
  }

  /** Returns whether a box overlaps entry `b` of a cell, and this cell has to report the pair. */
  reports(cell, b, left, low, right, high) {
    const { corners, columns } = this;
    const at = 4 * b;
    return (
      left <= corners[at + 2] &&
      corners[at] <= right &&
      low <= corners[at + 3] &&
      corners[at + 1] <= high &&
      this.row(Math.max(low, corners[at + 1])) * columns + this.column(Math.max(left, corners[at])) === cell
    );
  }

  pairs(sink) {
    const { starts, entries, corners } = this;
    for (let cell = 0; cell + 1 < starts.length; ++cell) {
      const end = starts[cell + 1];
      for (let a = starts[cell]; a + 1 < end; ++a) {
        const left = corners[4 * a];
        const low = corners[4 * a + 1];
        const right = corners[4 * a + 2];
        const high = corners[4 * a + 3];
        for (let b = a + 1; b < end; ++b) {
          if (this.reports(cell, b, left, low, right, high)) {
            sink.add(entries[a], entries[b]);
          }
        }
      }
    }
  }

  /** Finds the pairs of a box outside the grid with the boxes in it. */
  pairsOf(boxes, i, sink) {
    const { starts, entries, columns } = this;
    const [left, low, right, high] = [boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]];
    const [firstColumn, lastColumn] = [this.column(left), this.column(right)];
    for (let row = this.row(low), lastRow = this.row(high); row <= lastRow; ++row) {
      for (let cell = row * columns + firstColumn; cell <= row * columns + lastColumn; ++cell) {
        for (let b = starts[cell]; b < starts[cell + 1]; ++b) {
          if (this.reports(cell, b, left, low, right, high)) {
            sink.add(entries[b], i);
          }
        }
      }
    }
  }
}

function gridOf({ width, height, n, statics, boxes }, cell) {
  const moving = new Grid(width, height, cell, 2 * n);
  const fixed = new Grid(width, height, cell, 2 * n);
  fixed.build(boxes, 0, statics);
  return contenderOn(boxes, (corners, sink) => {
    // For a few boxes, a grid would cost more than brute force.
    if (n - statics > 32) {
      moving.build(corners, statics, n);
      moving.pairs(sink);
    } else {
      for (let a = statics; a < n; ++a) {
        for (let b = a + 1; b < n; ++b) {
          if (overlap(corners, a, b)) {
            sink.add(a, b);
          }
        }
      }
    }
    for (let i = statics; statics > 0 && i < n; ++i) {
      fixed.pairsOf(corners, i, sink);
    }
  });
}

/** The grid with the best of ten cell sizes, measured beforehand, which is impossible for boxes not known yet. */
export function typedGrid(workload) {
  let best;
  for (const factor of [0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 10, 16]) {
    const cell = factor * workload.meanSide;
    const tried = gridOf(workload, cell);
    tried.find();
    let least = Infinity;
    for (let run = 0; run < 3; ++run) {
      const start = performance.now();
      tried.find();
      least = Math.min(least, performance.now() - start);
    }
    if (best === undefined || least < best.least) {
      best = { least, cell };
    }
  }
  return { ...gridOf(workload, best.cell), note: `cell ${best.cell.toFixed(1)}` };
}

/**
 * The grid for boxes of about one size: each box is in the cell of its lower left corner, cells are as large as the
 * largest box, so a box is tested with its own cell and half of the eight around it. The fastest grid where sizes are
 * equal; useless where one box is large.
 */
export function oneCellGrid({ width, height, n, statics, boxes }) {
  let cell = 0;
  for (let i = 0; i < 4 * n; i += 4) {
    cell = Math.max(cell, boxes[i + 2] - boxes[i], boxes[i + 3] - boxes[i + 1]);
  }
  const inverse = 1 / cell;
  const columns = Math.ceil(width * inverse) + 4;
  const rows = Math.ceil(height * inverse) + 4;
  const cells = new Uint32Array(n);
  const starts = new Uint32Array(columns * rows + 1);
  const names = new Uint32Array(n);
  const sorted = new Float32Array(4 * n);
  const inside = (place, count) => Math.max(1, Math.min(count - 2, place));
  return contenderOn(boxes, (corners, sink) => {
    starts.fill(0);
    for (let i = 0; i < n; ++i) {
      const column = inside(Math.floor(corners[4 * i] * inverse) + 2, columns);
      const row = inside(Math.floor(corners[4 * i + 1] * inverse) + 2, rows);
      ++starts[(cells[i] = row * columns + column)];
    }
    for (let at = 1; at < starts.length; ++at) {
      starts[at] += starts[at - 1]; // the end; filling the cell backwards turns it into the start
    }
    for (let i = n - 1; i >= 0; --i) {
      const at = --starts[cells[i]];
      names[at] = i;
      for (let k = 0; k < 4; ++k) {
        sorted[4 * at + k] = corners[4 * i + k];
      }
    }
    for (let at = 0; at < n; ++at) {
      const a = names[at];
      const [left, low, right, high] = [sorted[4 * at], sorted[4 * at + 1], sorted[4 * at + 2], sorted[4 * at + 3]];
      const own = cells[a];
      const test = (from, to) => {
        for (let b = from; b < to; ++b) {
          const near =
            left <= sorted[4 * b + 2] && sorted[4 * b] <= right && low <= sorted[4 * b + 3] && sorted[4 * b + 1] <= high;
          if (near && (a >= statics || names[b] >= statics)) {
            sink.add(a, names[b]);
          }
        }
      };
      test(at + 1, starts[own + 2]); // the rest of its own cell and the next one are contiguous
      test(starts[own + columns - 1], starts[own + columns + 2]);
    }
  });
}
