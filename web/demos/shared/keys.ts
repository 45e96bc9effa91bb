/** Tells whether a key is meant for a control that has the focus, or for the browser, not for the page's picture. */
export function isTaken({ target, key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const takers = key === ' ' ? 'input, select, button, a' : 'input, select, [role=slider]';
  return ctrlKey || metaKey || altKey || (target instanceof Element && target.closest(takers) !== null);
}

/** The keys of a page that are held down. */
export class HeldKeys {
  readonly #held = new Set<string>();

  /** `pressed` is called whenever one goes down. */
  constructor(isMeant: (code: string) => boolean, pressed: () => void = () => {}) {
    addEventListener('keydown', (event) => {
      if (isMeant(event.code) && !isTaken(event)) {
        event.preventDefault(); // arrows would scroll
        this.#held.add(event.code);
        pressed();
      }
    });
    addEventListener('keyup', (event) => this.#held.delete(event.code));
    addEventListener('blur', () => this.#held.clear());
  }

  /** The codes, in the order in which they were pressed. */
  get codes(): readonly string[] {
    return [...this.#held];
  }
}
