import type { Point } from 'broadside';

const side = 10;
const stepsPerSecond = 60;

/** A box on a ring. */
interface Box {
  readonly radius: number;
  readonly speed: number; // (unit: radian per second)
  angle: number;
}

/** Squares that orbit on rings, and one that moves across them. */
export class Rings {
  readonly #boxes: Box[] = [];
  readonly #middle: Point;
  readonly #reach: number;
  #time = 0; // of the square that moves across
  #ringTime = 0;

  constructor(count: number, width: number, height: number) {
    this.#middle = { x: width / 2, y: height / 2 };
    this.#reach = Math.min(width, height) / 2 - side;
    // The number of squares is about proportional to the ring's length: the same density on each ring.
    const rings = Math.max(2, Math.ceil(Math.sqrt(count / 8)));
    for (let ring = 1; this.#boxes.length < count - 1; ring = (ring % rings) + 1) {
      const radius = (this.#reach * (ring + 0.3)) / (rings + 0.3);
      const room = Math.min(count - 1 - this.#boxes.length, Math.floor(15 * ring * 0.65));
      const begin = this.#boxes.length * 0.7;
      for (let i = 0; i < room; ++i) {
        this.#boxes.push({ radius, speed: this.#speed(ring), angle: begin + (2 * Math.PI * i) / room });
      }
    }
  }

  get length(): number {
    return this.#boxes.length + 1;
  }

  #speed(ring: number): number {
    return ((ring % 2 === 0 ? -0.02 : 0.02) * stepsPerSecond) / (1 + 0.6 * ring);
  }

  /** Adds a square on the ring through a point. */
  add({ x, y }: Point): void {
    const radius = Math.hypot(x - this.#middle.x, y - this.#middle.y);
    const speed = this.#speed(1 + (this.#boxes.length % 4));
    this.#boxes.push({ radius, speed, angle: Math.atan2(y - this.#middle.y, x - this.#middle.x) });
  }

  /** Advances the squares, or only the one that moves across. */
  step(seconds: number, onlyOne: boolean): void {
    this.#time += seconds;
    if (onlyOne) {
      return;
    }
    this.#ringTime += seconds;
    for (const box of this.#boxes) {
      box.angle += box.speed * seconds;
    }
  }

  /** Returns the boxes of the squares: min x, min y, max x, max y [length][4]. */
  corners(): Float32Array {
    const corners = new Float32Array(4 * this.length);
    const put = (i: number, x: number, y: number) =>
      corners.set([x - side / 2, y - side / 2, x + side / 2, y + side / 2], 4 * i);
    this.#boxes.forEach(({ radius, angle }, i) => {
      // The radii of rings oscillate, so that squares of neighboring rings meet.
      const reach = Math.min(this.#reach, radius + 30 * Math.sin(3 * angle + this.#ringTime * 0.9 + radius));
      put(i, this.#middle.x + Math.cos(angle) * reach, this.#middle.y + Math.sin(angle) * reach);
    });
    const across = this.#reach * 0.94;
    put(
      this.length - 1,
      this.#middle.x + Math.sin(this.#time * 0.7) * across,
      this.#middle.y + Math.sin(this.#time * 1.1 + 1) * across,
    );
    return corners;
  }
}
