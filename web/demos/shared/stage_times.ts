import { MovingAverage } from './moving_average';
import { element } from './page';

const frameMs = 1000 / 60;

/** Shows the times of a frame's stages as bars: a full bar is a sixtieth of a second, or the longest stage. */
export class StageTimes<Name extends string> {
  readonly #note = element('p', { class: 'note' });
  readonly #times = new Map<Name, { mean: MovingAverage; bar: HTMLElement; text: HTMLElement }>();

  constructor(place: HTMLElement, names: readonly Name[]) {
    const bars = element('div', { class: 'bars' });
    for (const name of names) {
      const bar = element('b');
      const text = element('output', { 'data-stage': name }, '–');
      bars.append(element('span', {}, name), element('i', {}, bar), text);
      this.#times.set(name, { mean: new MovingAverage(), bar, text });
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

  /** Adds a measured time to the moving average, because single frames would only flicker. */
  take(name: Name, ms: number): void {
    this.#times.get(name)?.mean.add(ms);
  }

  forget(): void {
    for (const { mean } of this.#times.values()) {
      mean.forget();
    }
  }

  show(): void {
    const longest = Math.max(...[...this.#times.values()].map(({ mean }) => mean.value));
    const full = Math.max(frameMs, longest);
    this.#note.textContent =
      full > frameMs ? 'Times in milliseconds.' : 'Times in milliseconds. A full bar is 1/60 s.';
    for (const { mean, bar, text } of this.#times.values()) {
      const ms = mean.value;
      bar.style.transform = `scaleX(${ms / full})`;
      text.textContent = ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0);
    }
  }
}
