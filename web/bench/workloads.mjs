// The boxes of all contenders. Corners are multiples of 1/64: floats represent corners, centers and halves exactly.

function random(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 4294967296;
  };
}

/** Returns whether boxes i and j share a point. */
export function overlap(boxes, i, j) {
  const [a, b] = [4 * i, 4 * j];
  return (
    boxes[a] <= boxes[b + 2] && boxes[b] <= boxes[a + 2] && boxes[a + 1] <= boxes[b + 3] && boxes[b + 1] <= boxes[a + 3]
  );
}

const onGrid = (x) => Math.round(x * 32) / 32;

function gauss(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Boxes that move in a world and bounce off its walls; the first `statics` boxes do not move. */
class Workload {
  constructor(name, width, height, n, statics, place) {
    const next = random(12345);
    this.name = name;
    this.width = width;
    this.height = height;
    this.n = n;
    this.statics = statics;
    this.jitter = undefined; // numbers for a new direction in each frame
    this.boxes = new Float32Array(4 * n);
    this.speeds = new Float32Array(2 * n);
    let sides = 0;
    for (let i = 0; i < n; ++i) {
      const [x, y, side] = place(next, i);
      const half = Math.max(1 / 64, onGrid(side / 2));
      const [left, low] = [Math.min(width, x), Math.min(height, y)].map((v) => onGrid(Math.max(0, v)));
      this.boxes.set([left, low, left + 2 * half, low + 2 * half], 4 * i);
      sides += 2 * half;
      if (i >= statics) {
        this.speeds.set([onGrid(2 * next() - 1), onGrid(2 * next() - 1)], 2 * i);
      }
    }
    this.meanSide = sides / n;
  }

  advance() {
    const { boxes, speeds } = this;
    for (let i = this.statics; i < this.n; ++i) {
      for (let axis = 0; axis < 2; ++axis) {
        const at = 4 * i + axis;
        if (this.jitter !== undefined) {
          speeds[2 * i + axis] = onGrid(2 * this.jitter() - 1);
        }
        boxes[at] += speeds[2 * i + axis];
        boxes[at + 2] += speeds[2 * i + axis];
        if (boxes[at] < 0 || boxes[at] > (axis === 0 ? this.width : this.height)) {
          speeds[2 * i + axis] *= -1;
        }
      }
    }
  }

  /** Returns all pairs as a * n + b with a < b, ascending, found by a sweep; run.mjs compares it with brute force. */
  truth() {
    const { boxes, n, statics } = this;
    const order = Uint32Array.from({ length: n }, (_, i) => i).sort((a, b) => boxes[4 * a] - boxes[4 * b]);
    const keys = [];
    for (let i = 0; i < n; ++i) {
      const a = order[i];
      for (let j = i + 1; j < n && boxes[4 * order[j]] <= boxes[4 * a + 2]; ++j) {
        const b = order[j];
        const far = boxes[4 * a + 1] > boxes[4 * b + 3] || boxes[4 * b + 1] > boxes[4 * a + 3];
        if (!far && (a >= statics || b >= statics)) {
          keys.push(Math.min(a, b) * n + Math.max(a, b));
        }
      }
    }
    return Float64Array.from(keys).sort();
  }

  bruteForceCount() {
    const { boxes, n, statics } = this;
    let count = 0;
    for (let a = 0; a < n; ++a) {
      for (let b = Math.max(a + 1, statics); b < n; ++b) {
        count += overlap(boxes, a, b) ? 1 : 0;
      }
    }
    return count;
  }
}

function uniform(name, n, side) {
  const world = Math.sqrt((n * 2 * side * side) / 1.5); // 1.5 pairs per box
  return new Workload(name, world, world, n, 0, (next) => [world * next(), world * next(), side]);
}

/** The same in random motion: no box keeps its direction. */
function jittering(name, n, side) {
  const made = uniform(name, n, side);
  made.jitter = random(99);
  return made;
}

function clustered(name, n) {
  const seeds = random(77);
  const centers = Array.from({ length: 40 }, () => [4000 * seeds(), 4000 * seeds(), 20 + 60 * seeds()]);
  return new Workload(name, 4000, 4000, n, 0, (next) => {
    const [x, y, spread] = centers[Math.floor(40 * next())];
    return [x + spread * gauss(next), y + spread * gauss(next), 4 + 4 * next()];
  });
}

/** Sides from 1 to 1,000, of density s^-2. */
function powerLaw(name, n) {
  return new Workload(name, 3000, 3000, n, 0, (next) => [3000 * next(), 3000 * next(), 1 / (1 - 0.999 * next())]);
}

/** The circles of document 004, by their boxes. */
function circles(name, n) {
  return new Workload(name, 1920, 1080, n, 0, (next) => [
    1920 * next(),
    1080 * next(),
    2 * Math.ceil(Math.exp(8 * next()) / 23.2887),
  ]);
}

/** The table of document 003: 2,000 static boxes, five balls. */
function pinball(name, statics, balls) {
  return new Workload(name, 64, 128, statics + balls, statics, (next, i) => [
    64 * next(),
    128 * next(),
    i < statics ? 0.5 + 2 * next() : 2.125,
  ]);
}

export const workloads = {
  U10k: () => uniform('U10k', 10_000, 10),
  U100k: () => uniform('U100k', 100_000, 10),
  'jitter 10k': () => jittering('jitter 10k', 10_000, 10),
  clustered: () => clustered('clustered', 10_000),
  'power law': () => powerLaw('power law', 10_000),
  circles: () => circles('circles', 2_000),
  pinball: () => pinball('pinball', 2_000, 5),
};
