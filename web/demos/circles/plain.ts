import { fade } from '../shared/crowd';
import { placeCircles, type Placing } from '../shared/placing';

/**
 * The same circles in JavaScript that is as fast as we can write it: typed arrays, a grid filled by counting sort, no
 * objects. A pair in several cells is tested only in the cell that contains the min corner of the overlap of its boxes.
 * The cell size is the fastest of a few.
 */
export class PlainCircles {
  readonly positions: Float32Array;
  readonly radii: Float32Array;
  readonly glow: Uint8Array;
  readonly length: number;
  contacts = 0;
  readonly #velocities: Float32Array;
  #cell = 1;
  #columns = 1;
  #rows = 1;
  #ends = new Uint32Array(0); // [cells] the end of each cell in the list
  #list = new Uint32Array(1024);
  #touching = new Uint32Array(1024); // [contacts][2]

  constructor(readonly options: Placing & { readonly grid: boolean }) {
    const { positions, velocities, radii } = placeCircles(options);
    this.positions = positions;
    this.radii = radii;
    this.length = radii.length;
    this.glow = new Uint8Array(this.length);
    this.#velocities = velocities;
    if (options.grid) {
      this.#choose();
    }
  }

  /**
   * Moves touching circles apart and bounces them off each other, as the world of the other side does, and off the walls;
   * then moves all circles.
   */
  step(seconds: number): void {
    this.contacts = 0;
    if (this.options.grid) {
      this.#fill();
      this.#meetInCells();
    } else {
      this.#meetAll();
    }
    for (let i = 0; i < this.contacts; ++i) {
      this.#bounce(this.#touching[2 * i]!, this.#touching[2 * i + 1]!);
    }
    const { width, height } = this.options;
    for (let i = 0; i < this.length; ++i) {
      this.#move(2 * i, this.radii[i]!, width, seconds);
      this.#move(2 * i + 1, this.radii[i]!, height, seconds);
    }
  }

  fade(): void {
    fade(this.glow);
  }

  #move(k: number, radius: number, limit: number, seconds: number): void {
    const at = this.positions[k]!;
    const speed = this.#velocities[k]!;
    if ((at < radius && speed < 0) || (at > limit - radius && speed > 0)) {
      this.#velocities[k] = -speed;
    }
    const inside = Math.max(radius, Math.min(limit - radius, at));
    this.positions[k] = inside + this.#velocities[k]! * seconds;
  }

  #choose(): void {
    const mean = this.radii.reduce((sum, radius) => sum + radius, 0) / this.length;
    const [positions, velocities] = [this.positions.slice(), this.#velocities.slice()];
    let best = Infinity;
    let chosen = mean;
    for (const times of [2, 3, 4, 6, 8, 12, 16]) {
      this.#layOut(mean * times);
      const started = performance.now();
      for (let run = 0; run < 5; ++run) {
        this.step(0);
      }
      const passed = performance.now() - started;
      this.positions.set(positions);
      this.#velocities.set(velocities);
      if (passed < best) {
        best = passed;
        chosen = mean * times;
      }
    }
    this.#layOut(chosen);
  }

  #layOut(cell: number): void {
    this.#cell = cell;
    this.#columns = Math.ceil(this.options.width / cell);
    this.#rows = Math.ceil(this.options.height / cell);
    this.#ends = new Uint32Array(this.#columns * this.#rows + 1);
  }

  #column(x: number): number {
    return Math.min(this.#columns - 1, Math.max(0, Math.floor(x / this.#cell)));
  }

  #row(y: number): number {
    return Math.min(this.#rows - 1, Math.max(0, Math.floor(y / this.#cell)));
  }

  /** Sorts the circles by cells: counts them, then writes each at the ends of its cells. */
  #fill(): void {
    const ends = this.#ends;
    ends.fill(0);
    for (let pass = 0; pass < 2; ++pass) {
      for (let i = 0; i < this.length; ++i) {
        const [x, y, r] = [this.positions[2 * i]!, this.positions[2 * i + 1]!, this.radii[i]!];
        const last = this.#column(x + r);
        const bottom = this.#row(y + r);
        for (let row = this.#row(y - r); row <= bottom; ++row) {
          for (let column = this.#column(x - r); column <= last; ++column) {
            const cell = row * this.#columns + column;
            if (pass === 0) {
              ++ends[cell + 1]!;
            } else {
              this.#list[ends[cell]!++] = i;
            }
          }
        }
      }
      if (pass === 0) {
        for (let cell = 1; cell < ends.length; ++cell) {
          ends[cell]! += ends[cell - 1]!;
        }
        const entries = ends[ends.length - 1]!;
        if (entries > this.#list.length) {
          this.#list = new Uint32Array(2 * entries);
        }
      }
    }
  }

  #meetInCells(): void {
    let begin = 0;
    for (let cell = 0; cell + 1 < this.#ends.length; ++cell) {
      const end = this.#ends[cell]!;
      for (let p = begin; p < end; ++p) {
        for (let q = p + 1; q < end; ++q) {
          this.#meet(this.#list[p]!, this.#list[q]!, cell);
        }
      }
      begin = end;
    }
  }

  #meetAll(): void {
    for (let i = 0; i < this.length; ++i) {
      for (let j = i + 1; j < this.length; ++j) {
        this.#meet(i, j, -1);
      }
    }
  }

  /** Notes a pair that touches; only in the cell that owns it. */
  #meet(i: number, j: number, cell: number): void {
    const { positions, radii } = this;
    const [r, s] = [radii[i]!, radii[j]!];
    const x = positions[2 * j]! - positions[2 * i]!;
    const y = positions[2 * j + 1]! - positions[2 * i + 1]!;
    const square = x * x + y * y;
    if (square > (r + s) * (r + s) || square === 0) {
      return;
    }
    if (cell >= 0) {
      const column = this.#column(Math.max(positions[2 * i]! - r, positions[2 * j]! - s));
      const row = this.#row(Math.max(positions[2 * i + 1]! - r, positions[2 * j + 1]! - s));
      if (row * this.#columns + column !== cell) {
        return;
      }
    }
    const at = 2 * this.contacts++;
    if (at === this.#touching.length) {
      const longer = new Uint32Array(2 * at);
      longer.set(this.#touching);
      this.#touching = longer;
    }
    this.#touching[at] = i;
    this.#touching[at + 1] = j;
  }

  /** Moves two circles apart and bounces them elastically, with their areas as masses. */
  #bounce(i: number, j: number): void {
    const { positions, radii } = this;
    const velocities = this.#velocities;
    this.glow[i] = 255;
    this.glow[j] = 255;
    const [r, s] = [radii[i]!, radii[j]!];
    const x = positions[2 * j]! - positions[2 * i]!;
    const y = positions[2 * j + 1]! - positions[2 * i + 1]!;
    const square = x * x + y * y;
    const inverse = 1 / (r * r + s * s);
    const distance = Math.sqrt(square);
    if (distance < r + s && distance > 0) {
      const apart = ((r + s - distance) / distance) * inverse;
      positions[2 * i]! -= apart * s * s * x;
      positions[2 * i + 1]! -= apart * s * s * y;
      positions[2 * j]! += apart * r * r * x;
      positions[2 * j + 1]! += apart * r * r * y;
    }
    const towards =
      (velocities[2 * j]! - velocities[2 * i]!) * x + (velocities[2 * j + 1]! - velocities[2 * i + 1]!) * y;
    if (towards < 0) {
      const push = ((2 * towards) / square) * inverse;
      velocities[2 * i]! += push * s * s * x;
      velocities[2 * i + 1]! += push * s * s * y;
      velocities[2 * j]! -= push * r * r * x;
      velocities[2 * j + 1]! -= push * r * r * y;
    }
  }
}
