import { element } from './page';

const frameMs = 1000 / 60;

/** Shows the times of a frame's stages as bars: a full bar is a sixtieth of a second, or the longest stage. */
export class StageTimes<Name extends string> {
  readonly #note = element('p', { class: 'note' });
  readonly #times = new Map<Name, { ms: number; bar: HTMLElement; text: HTMLElement }>();

  constructor(place: HTMLElement, names: readonly Name[]) {
    const bars = element('div', { class: 'bars' });
    for (const name of names) {
      const bar = element('b');
      const text = element('output', { 'data-stage': name }, '–');
      bars.append(element('span', {}, name), element('i', {}, bar), text);
      this.#times.set(name, { ms: 0, bar, text });
    }
    place.append(bars, this.#note);
  }

  /** Runs a stage, and measures its time. */
  run<T>(name: Name, stage: () => T): T {
    const started = performance.now();
    const result = stage();
    this.take(name, performance.now() - started);
    return result;
  }

  /** Adds a measured time. */
  take(name: Name, ms: number): void {
    const time = this.#times.get(name);
    if (time !== undefined) {
      time.ms += (ms - time.ms) * 0.1; // single frames would only flicker
    }
  }

  forget(): void {
    for (const time of this.#times.values()) {
      time.ms = 0;
    }
  }

  show(): void {
    const longest = Math.max(...[...this.#times.values()].map(({ ms }) => ms));
    const full = Math.max(frameMs, longest);
    this.#note.textContent =
      full > frameMs ? 'Times in milliseconds.' : 'Times in milliseconds. A full bar is 1/60 s.';
    for (const { ms, bar, text } of this.#times.values()) {
      bar.style.transform = `scaleX(${ms / full})`;
      text.textContent = ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
    }
  }
}
