/** Tells whether a key belongs to a focused control or to the browser, not to the picture of the page. */
export function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const takers = key === ' ' ? 'input, select, button, a' : 'input, select, [role=slider]';
  return ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(takers) !== null);
}

/** The keys of a page that are held down. */
export class HeldKeys {
  readonly #held = new Set<string>();
  readonly #pressed = new Set<string>(); // since the last `read`: a short press between two frames must not be lost

  /** @param pressed called for each key that is pressed */
  constructor(isMeant: (code: string) => boolean, pressed: () => void = () => {}) {
    addEventListener('keydown', (event) => {
      if (isMeant(event.code) && !isTaken(event)) {
        event.preventDefault(); // arrows would scroll
        this.#held.add(event.code);
        this.#pressed.add(event.code);
        pressed();
      }
    });
    addEventListener('keyup', (event) => this.#held.delete(event.code));
    addEventListener('blur', () => this.#held.clear());
  }

  /** Returns the codes of all keys that were down at any time since the last call. */
  read(): readonly string[] {
    const codes = [...new Set([...this.#held, ...this.#pressed])];
    this.#pressed.clear();
    return codes;
  }
}
