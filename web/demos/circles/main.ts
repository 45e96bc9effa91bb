import { ready } from 'broadside';
import { Chart } from '../shared/chart';
import { accent, ground, okabeIto, quiet } from '../shared/colours';
import { Crowd } from '../shared/crowd';
import { Flat } from '../shared/flat';
import { addLabels, drawGap, halfOf } from '../shared/halves';
import { addHero } from '../shared/hero';
import { startLoop } from '../shared/loop';
import { count, openPage } from '../shared/page';
import { Painter } from '../shared/painter';
import { addSlider } from '../shared/slider';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { addCanvas, fit } from '../shared/view';
import { PlainCircles } from './plain';

const page = openPage(
  'circles',
  'Both sides move the same touching circles apart and bounce them. In each frame, both get the same time and make as ' +
    'many small steps as they can. Contacts on the right include those with the walls.',
);
const state = stateOf({
  count: whole(2000, 100, 50_000),
  javascript: choice('grid', ['grid', 'each with each']),
  budget: whole(5, 1, 12),
  seed: whole(1, 1, 9999),
  paused: flag(false),
});
const { values } = state;
const stepSeconds = 1 / 1200; // with the maximum of steps, circles are about as fast as on other pages
const maxSteps = 64;
await ready;

/** The recent speed of a side. */
interface Pace {
  steps: number;
  ms: number;
}

let plain: PlainCircles;
let crowd: Crowd;
let paces: readonly [javascript: Pace, wasm: Pace];
const canvas = addCanvas(page.stage, make);
const painter = new Painter(canvas);
const flat = new Flat(page.stage);
page.stage.append(flat.canvas); // over the circles
page.stage.classList.add('scrolls');

function make(): void {
  crowd?.release();
  const [wide, high] = halfOf(canvas, 0);
  const scale = Math.min(devicePixelRatio, 2);
  const placing = {
    count: values.count,
    seed: values.seed,
    width: wide / scale,
    height: high / scale,
    cover: 0.21,
    mix: 24,
  };
  plain = new PlainCircles({ ...placing, grid: values.javascript === 'grid' });
  crowd = new Crowd({ ...placing, bounce: true, technique: 'hierarchical-grid' });
  // So that a paused page shows what touches.
  plain.step(0);
  crowd.step(0);
  paces = [
    { steps: 0, ms: 0 },
    { steps: 0, ms: 0 },
  ];
  history.forEach((line) => line.splice(0));
}

/** Makes as many steps as there is time for, at least one. */
function run(pace: Pace, step: () => void): void {
  const started = performance.now();
  let steps = 0;
  let passed = 0;
  do {
    step();
    ++steps;
    passed = performance.now() - started;
  } while (passed < values.budget && steps < maxSteps);
  pace.steps += (steps - pace.steps) * (pace.steps === 0 ? 1 : 0.05);
  pace.ms += (passed / steps - pace.ms) * (pace.ms === 0 ? 1 : 0.05);
}

const history: [javascript: number[], wasm: number[]] = [[], []];
make();
const labels = addLabels(page.stage);
labels[0]!('JavaScript');
labels[1]!('broadside, wasm');
const showSteps = [page.readout('js-steps', 'steps/frame, JS'), page.readout('wasm-steps', 'steps/frame, wasm')];
const showMs = [page.readout('js-ms', 'ms/step, JS'), page.readout('wasm-ms', 'ms/step, wasm')];
const showContacts = [page.readout('js-contacts', 'contacts, JS'), page.readout('wasm-contacts', 'contacts, wasm')];
const chart = new Chart(page.section('Milliseconds per step, last frames'), {
  x: 'frames',
  y: '',
  lines: [
    { name: 'JavaScript', colour: okabeIto.sky },
    { name: 'broadside, wasm', colour: accent },
  ],
});

let frames = 0;
startLoop(
  page,
  {
    step(seconds) {
      if (seconds === 0) {
        return; // `make` has done it
      }
      plain.fade();
      run(paces[0], () => plain.step(stepSeconds));
      run(paces[1], () => crowd.world.step(stepSeconds));
      crowd.light();
      paces.forEach(({ ms }, i) => {
        history[i]!.push(ms);
        history[i]!.splice(0, history[i]!.length - 240);
      });
      if (frames++ % 12 === 0) {
        chart.set(
          history[0].map((_, i) => i - history[0].length),
          ...history,
        );
      }
    },
    draw() {
      painter.clear(ground);
      flat.beginOver();
      const world = { min: { x: 0, y: 0 }, max: { x: crowd.options.width, y: crowd.options.height } };
      [plain, crowd].forEach((side, i) => {
        const { length, radii, glow } = side;
        const positions = side === crowd ? crowd.positions() : plain.positions;
        painter.circles({ length, positions, radii, glow, colour: quiet, lit: accent }, fit(world, ...halfOf(canvas, i)));
        showSteps[i]!(paces[i]!.steps.toFixed(0));
        showMs[i]!(paces[i]!.ms.toFixed(3));
      });
      showContacts[0]!(count(plain.contacts));
      showContacts[1]!(count(crowd.world.contactCount));
      drawGap(flat);
    },
  },
  state,
);

function changed(): void {
  state.save();
  make();
}
addHero(page.side, {
  name: 'count',
  label: 'Circles on each side',
  min: 100,
  max: 50_000,
  value: values.count,
  text: count,
  chosen(value) {
    values.count = value;
    changed();
  },
});
page.gui
  .add(values, 'javascript', { grid: 'grid', 'brute force': 'each with each' })
  .name('JavaScript')
  .onChange(changed);
addSlider(page.gui, values, 'budget', 1, 12).name('ms per side').onChange(state.save);
addSlider(page.gui, values, 'seed', 1, 9999).onFinishChange(changed);
