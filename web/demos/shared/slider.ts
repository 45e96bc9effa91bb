import type GUI from 'lil-gui';
import type { Controller } from 'lil-gui';

/** Adds a slider for a number to the controls: unlike lil-gui's own, it can be moved by arrow keys. */
export function addSlider<K extends string>(
  gui: GUI,
  values: Record<K, number>,
  key: K,
  min: number,
  max: number,
  step = 1,
): Controller {
  const controller = gui.add(values, key, min, max, step);
  const slider = controller.domElement.querySelector('.lil-slider')!;
  const tell = () => slider.setAttribute('aria-valuenow', String(values[key]));
  for (const [name, value] of Object.entries({
    role: 'slider',
    tabindex: '0',
    'aria-labelledby': controller.$name.id,
    'aria-valuemin': String(min),
    'aria-valuemax': String(max),
  })) {
    slider.setAttribute(name, value);
  }
  tell();
  slider.addEventListener('focus', tell);
  const page = Math.max(step, (max - min) / 10);
  const goals: Readonly<Record<string, (value: number) => number>> = {
    ArrowLeft: (value) => value - step,
    ArrowDown: (value) => value - step,
    ArrowRight: (value) => value + step,
    ArrowUp: (value) => value + step,
    PageDown: (value) => value - page,
    PageUp: (value) => value + page,
    Home: () => min,
    End: () => max,
  };
  (slider as HTMLElement).addEventListener('keydown', (event) => {
    const goal = goals[event.key]?.(values[key]);
    if (goal !== undefined) {
      event.preventDefault(); // arrows would scroll
      const steps = Math.round((Math.min(max, Math.max(min, goal)) - min) / step);
      controller.load(Number((min + steps * step).toFixed(6))); // also triggers onFinishChange
      tell();
    }
  });
  return controller;
}
