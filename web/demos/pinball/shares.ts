import { phaseNames, type PhaseName } from './broad_phases';

const kept = 360; // frames

/** The share of each broad phase in the frame time; measurements of one stay while another is active. */
export class Shares {
  readonly #all = new Map<PhaseName, { frames: number; broad: number; frame: number }>();
  readonly #history: { readonly name: PhaseName; readonly percent: number }[] = [];

  /** Adds a frame (unit: millisecond). Clocks of browsers are coarse, so only the mean of many frames is meaningful. */
  note(name: PhaseName, broad: number, frame: number): void {
    const before = this.#all.get(name) ?? { frames: 0, broad: 0, frame: 0 };
    const frames = before.frames + 1;
    const weight = Math.max(0.04, 1 / frames);
    this.#all.set(name, {
      frames,
      broad: before.broad + (broad - before.broad) * weight,
      frame: before.frame + (frame - before.frame) * weight,
    });
    this.#history.push({ name, percent: this.percent(name) ?? 0 });
    this.#history.splice(0, this.#history.length - kept);
  }

  ms(name: PhaseName): number | undefined {
    return this.#all.get(name)?.broad;
  }

  percent(name: PhaseName): number | undefined {
    const of = this.#all.get(name);
    return of === undefined ? undefined : (100 * of.broad) / (of.frame || 1);
  }

  /** Returns the shares in the last frames, null where another was active: x, then a line for each broad phase. */
  lines(): [x: number[], ...lines: (number | null)[][]] {
    const history = this.#history;
    return [
      history.map((_, i) => i - history.length),
      ...phaseNames.map((name) => history.map((one) => (one.name === name ? one.percent : null))),
    ];
  }
}
