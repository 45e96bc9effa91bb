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

  /** `used` is called whenever something is pressed. */
  constructor(canvas: HTMLCanvasElement, used: () => void) {
    this.#keys = new HeldKeys((code) => all.has(code), used);
    canvas.addEventListener('pointerdown', (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.#fingers.set(event.pointerId, event.offsetX < canvas.clientWidth / 2 ? 'left' : 'right');
      used();
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, (event) => this.#fingers.delete(event.pointerId));
    }
  }

  read(): Keys {
    const { codes } = this.#keys;
    const sides = [...this.#fingers.values()];
    return {
      left: sides.includes('left') || codes.some((code) => left.includes(code)),
      right: sides.includes('right') || codes.some((code) => right.includes(code)),
      launch: sides.length > 0 || codes.some((code) => launch.includes(code)),
    };
  }
}
