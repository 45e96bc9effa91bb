import { HeldKeys } from '../shared/keys';
import type { Keys } from './game';

const left = ['ArrowLeft', 'KeyA'];
const right = ['ArrowRight', 'KeyD'];
const launch = ['Space', 'ArrowUp', 'KeyW'];
const all = new Set([...left, ...right, ...launch]);

/** The input of the player: keys, or fingers on the left and the right half, which also launch balls. */
export class Controls {
  readonly #keys: HeldKeys;
  readonly #fingers = new Map<number, 'left' | 'right'>();
  readonly #tapped = new Set<'left' | 'right'>(); // since it was last read

  /** @param used called for each key or finger that is pressed */
  constructor(canvas: HTMLCanvasElement, used: () => void) {
    this.#keys = new HeldKeys((code) => all.has(code), used);
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      const side = event.offsetX < canvas.clientWidth / 2 ? 'left' : 'right';
      this.#fingers.set(event.pointerId, side);
      this.#tapped.add(side);
      used();
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.#fingers.delete(event.pointerId));
    }
  }

  /** Returns the input at any time since the last call. */
  read(): Keys {
    const codes = this.#keys.read();
    const sides = new Set([...this.#fingers.values(), ...this.#tapped]);
    this.#tapped.clear();
    return {
      left: sides.has('left') || codes.some((code) => left.includes(code)),
      right: sides.has('right') || codes.some((code) => right.includes(code)),
      launch: sides.size > 0 || codes.some((code) => launch.includes(code)),
    };
  }
}
