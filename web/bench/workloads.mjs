import { overlap } from './boxes.mjs';

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

const onGrid = (x) => Math.round(x * 32) / 32;

function gauss(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/**
 * Boxes that move in a world and turn back outside of it; the first `statics` boxes do not move. In each frame a box moves
 * by up to 1 along each axis: `jitter` draws a new direction and speed in each frame, `glide` once.
 */
class Workload {
  #draw;
  #motion;
  #speeds;

  constructor({ width, height, n, statics = 0, motion, seed, place }) {
    const next = random(seed);
    this.width = width;
    this.height = height;
    this.n = n;
    this.statics = statics;
    this.boxes = new Float32Array(4 * n);
    this.#motion = motion;
    this.#speeds = new Float32Array(2 * n);
    let sum = 0;
    for (let i = 0; i < n; ++i) {
      const [x, y, side] = place(next, i);
      const half = Math.max(1 / 64, onGrid(side / 2));
      const [left, low] = [Math.min(width, x), Math.min(height, y)].map((v) => onGrid(Math.max(0, v)));
      this.boxes.set([left, low, left + 2 * half, low + 2 * half], 4 * i);
      sum += 2 * half;
    }
    this.meanSide = sum / n;
    this.#draw = () => onGrid(2 * next() - 1);
    this.#speeds.forEach((_, i, speeds) => (speeds[i] = this.#draw()));
  }

  advance() {
    const { boxes } = this;
    const jitters = this.#motion === 'jitter';
    for (let i = 2 * this.statics; i < 2 * this.n; ++i) {
      const axis = i % 2;
      const at = 2 * i - axis; // corners are x, y, x, y
      let speed = jitters ? this.#draw() : this.#speeds[i];
      if (boxes[at] < 0) {
        speed = Math.abs(speed);
      } else if (boxes[at] > (axis === 0 ? this.width : this.height)) {
        speed = -Math.abs(speed);
      }
      this.#speeds[i] = speed;
      boxes[at] += speed;
      boxes[at + 2] += speed;
    }
  }

  /** Returns all pairs as a * n + b with a < b, ascending, found by a sweep; run.mjs compares it with brute force. */
  truth(boxes = this.boxes) {
    const { n, statics } = this;
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

/** Equal boxes, 1.5 pairs for each. */
function uniform(n, options) {
  const side = 10;
  const world = Math.sqrt((n * 2 * side * side) / 1.5);
  const place = (next) => [world * next(), world * next(), side];
  return new Workload({ ...options, width: world, height: world, n, place });
}

function clustered(n, options) {
  const seeds = random(77);
  const centers = Array.from({ length: 40 }, () => [4000 * seeds(), 4000 * seeds(), 20 + 60 * seeds()]);
  const place = (next) => {
    const [x, y, spread] = centers[Math.floor(40 * next())];
    return [x + spread * gauss(next), y + spread * gauss(next), 4 + 4 * next()];
  };
  return new Workload({ ...options, width: 4000, height: 4000, n, place });
}

/** Sides from 1 to 1,000, of density s^-2. */
function powerLaw(n, options) {
  const place = (next) => [3000 * next(), 3000 * next(), 1 / (1 - 0.999 * next())];
  return new Workload({ ...options, width: 3000, height: 3000, n, place });
}

/** The circles of document 004, by their boxes. */
function circles(n, options) {
  const place = (next) => [1920 * next(), 1080 * next(), 2 * Math.ceil(Math.exp(8 * next()) / 23.2887)];
  return new Workload({ ...options, width: 1920, height: 1080, n, place });
}

/** The table of document 003: static boxes, and five balls. */
function pinball(statics, options) {
  const place = (next, i) => [64 * next(), 128 * next(), i < statics ? 0.5 + 2 * next() : 2.125];
  return new Workload({ ...options, width: 64, height: 128, n: statics + 5, statics, place });
}

/** Makers of workloads: `make(n, { motion, seed })`. */
export const kinds = { uniform, clustered, powerLaw, circles, pinball };

const jittering = { motion: 'jitter', seed: 12345 };

export const workloads = {
  U10k: () => uniform(10_000, jittering),
  U100k: () => uniform(100_000, jittering),
  'glide 10k': () => uniform(10_000, { ...jittering, motion: 'glide' }),
  clustered: () => clustered(10_000, jittering),
  'power law': () => powerLaw(10_000, jittering),
  circles: () => circles(2_000, jittering),
  pinball: () => pinball(2_000, jittering),
};
