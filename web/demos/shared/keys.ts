/** Tells whether a key is meant for a control that has the focus, or for the browser, not for the page's picture. */
export function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const takers = key === ' ' ? 'input, select, button, a' : 'input, select, [role=slider]';
  return ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(takers) !== null);
}

/** The keys of a page that are held down. */
export class HeldKeys {
  readonly #held = new Set<string>();
  readonly #pressed = new Set<string>(); // since it was last read: a short press is not to get lost between two frames

  /** `pressed` is called whenever one goes down. */
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

  /** Returns the codes of all that were down at any time since it was last read. */
  read(): readonly string[] {
    const codes = [...new Set([...this.#held, ...this.#pressed])];
    this.#pressed.clear();
    return codes;
  }
}
