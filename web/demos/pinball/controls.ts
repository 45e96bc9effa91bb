import { HeldKeys } from '../shared/keys';
import type { Keys } from './game';

const left = ['ArrowLeft', 'KeyA'];
const right = ['ArrowRight', 'KeyD'];
const launch = ['Space', 'ArrowUp', 'KeyW'];
const all = new Set([...left, ...right, ...launch]);

/** What whoever plays wants: by keys, or by fingers on the left and on the right half, which send balls off too. */
export class Controls {
  readonly #keys: HeldKeys;
  readonly #fingers = new Map<number, 'left' | 'right'>();
  readonly #tapped = new Set<'left' | 'right'>(); // since it was last read

  /** `used` is called whenever something is pressed. */
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

  /** Returns what was wanted at any time since it was last read. */
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
