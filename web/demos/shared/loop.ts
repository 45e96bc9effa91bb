import { isTaken } from './keys';
import type { Page } from './page';

const stepSeconds = 1 / 60;

/** Tells whether the user prefers reduced motion. */
function wantsStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** The animation of a page. */
export interface Motion {
  /** Advances the scene; the seconds are always the same, so that a seed always gives the same picture. */
  step(seconds: number): void;
  draw(): void;
}

/** The page state that the loop uses. */
export interface Pausable {
  readonly values: { paused: boolean };
  save(): void;
}

export interface Loop {
  setPaused(paused: boolean): void;
}

/**
 * Runs the animation at the rate of the screen, at most 60 steps per second. Space, or another key, pauses; "." makes a
 * single step. If the user prefers reduced motion, it begins paused.
 */
export function startLoop(page: Page, motion: Motion, state: Pausable, pauseKey: ' ' | 'p' = ' '): Loop {
  const phone = matchMedia('(pointer: coarse)').matches; // it has no keys
  const byKeys = phone ? '' : ` Press ${pauseKey === ' ' ? 'space' : 'P'} to play, “.” to step.`;
  const showFps = page.readout('fps', 'frames per second');
  const showFrame = page.readout('frame', 'ms of work per frame');
  const still = wantsStillness() && !new URLSearchParams(location.search).has('paused');
  const button = page.gui.add({ toggle: () => setPaused(!state.values.paused) }, 'toggle');

  function setPaused(paused: boolean): void {
    state.values.paused = paused;
    button.name(paused ? '▶  Play' : '❚❚  Pause');
    button.domElement.dataset['control'] = 'paused';
    page.say(paused ? `Paused.${byKeys}` : '');
    state.save();
  }
  setPaused(still || state.values.paused);
  if (still) {
    page.say(`Paused: your system prefers reduced motion.${byKeys}`);
  }

  addEventListener('keydown', (event) => {
    if (isTaken(event)) {
      return;
    }
    if (event.key === pauseKey) {
      event.preventDefault();
      setPaused(!state.values.paused);
    } else if (event.key === '.' && state.values.paused) {
      motion.step(stepSeconds);
    }
  });

  let lastFrame = performance.now();
  let lastStep = -Infinity;
  let between = 1000 / 60;
  let work = 0;
  let shown = 0;
  let stepped = false;
  motion.step(0); // so that a paused page shows what touches
  const frame = (now: number) => {
    const started = performance.now();
    // A 120 Hz screen gets every second frame; with some tolerance, as frames are not exactly periodic.
    if (!state.values.paused && now - lastStep > 1000 * stepSeconds - 3) {
      lastStep = now;
      motion.step(stepSeconds);
      if (!stepped) {
        stepped = true;
        document.documentElement.dataset['movingAfter'] = performance.now().toFixed(0);
      }
    }
    motion.draw();
    between += (now - lastFrame - between) * 0.1;
    lastFrame = now;
    work += (performance.now() - started - work) * 0.1;
    if (now - shown > 250) {
      shown = now;
      showFps((1000 / between).toFixed(0));
      showFrame(work.toFixed(1));
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return { setPaused };
}
