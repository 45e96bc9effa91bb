import type { Point } from 'broadside';
import type { Flat } from '../shared/flat';
import { HeldKeys } from '../shared/keys';

const ways: Readonly<Record<string, Point>> = {
  KeyW: { x: 0, y: -1 },
  KeyA: { x: -1, y: 0 },
  KeyS: { x: 0, y: 1 },
  KeyD: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowRight: { x: 1, y: 0 },
};

/** The direction of the player: by keys, or by a finger or mouse button held down. */
export class Steering {
  readonly #keys = new HeldKeys((code) => code in ways);
  #goal: Point | undefined;
  #last = -Infinity;

  constructor(flat: Flat) {
    const { canvas } = flat;
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#goal = flat.at(event);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (this.#goal !== undefined) {
        this.#goal = flat.at(event);
      }
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, () => (this.#goal = undefined));
    }
  }

  /** Returns a direction of length 1 at most; undefined after a while without input. */
  from(player: Point): Point | undefined {
    let x = 0;
    let y = 0;
    const held = this.#keys.read();
    for (const code of held) {
      x += ways[code]!.x;
      y += ways[code]!.y;
    }
    if (this.#goal !== undefined) {
      x = (this.#goal.x - player.x) / 20; // slower near the goal
      y = (this.#goal.y - player.y) / 20;
    }
    const now = performance.now();
    if (held.length > 0 || this.#goal !== undefined) {
      this.#last = now;
    }
    const length = Math.max(1, Math.hypot(x, y));
    return now - this.#last < 4000 ? { x: x / length, y: y / length } : undefined;
  }
}
