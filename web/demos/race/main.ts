import { ready, type Point, type TechniqueName } from 'broadside';
import { accent, faded, ground, ink as white, okabeIto, quiet } from '../shared/colours';
import { Crowd } from '../shared/crowd';
import { Flat } from '../shared/flat';
import { addLabels, drawGap, halfOf } from '../shared/halves';
import { startLoop } from '../shared/loop';
import { count, legend, openPage } from '../shared/page';
import { Painter } from '../shared/painter';
import { addSlider } from '../shared/slider';
import { techniques } from '../shared/techniques';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { addCanvas, fit, worldAt, type View } from '../shared/view';
import { Circles } from './circles';
import { comparedWith } from './compared';
import type { Rival } from './rival';
import { rivalNames, rivals, type RivalName } from './rivals';

const page = openPage(
  'race',
  'Two techniques or libraries run one scene. Point at a circle: lines lead to the circles that it is tested with. ' +
    'If the tested circles are unknown, lines lead to circles with touching boxes (rapier: touching circles).',
);
const contestants = [...techniques, ...rivalNames] as const;
type Contestant = (typeof contestants)[number];
const state = stateOf({
  left: choice('brute-force', contestants),
  right: choice('hierarchical-grid', contestants),
  count: whole(600, 10, 5000),
  seed: whole(2, 1, 9999),
  cells: flag(true),
  paused: flag(false),
});
const { values } = state;
await ready;

/** One of the two contestants, with its time. */
interface Runner {
  readonly side: 'left' | 'right';
  readonly crowd: Crowd;
  readonly view: View;
  /** The library that finds the contacts, if it is not ours: our world then only moves the circles. */
  rival: Rival | undefined;
  ms: number;
}

const runners: Runner[] = [];
let picked = 0; // the circle under the pointer, the same on both sides
const canvas = addCanvas(page.stage, make);
const painter = new Painter(canvas);
const flat = new Flat(page.stage);
page.stage.append(flat.canvas); // over the circles

function techniqueOf(contestant: Contestant): TechniqueName {
  return techniques.find((one) => one === contestant) ?? 'hierarchical-grid';
}

function rivalOf(contestant: Contestant): RivalName | undefined {
  return rivalNames.find((one) => one === contestant);
}

/** Loads the rival that was chosen for a side, and starts it. */
async function enter(runner: Runner): Promise<void> {
  const { side, crowd } = runner;
  runner.rival?.release();
  runner.rival = undefined;
  runner.ms = 0;
  const name = rivalOf(values[side]);
  if (name === undefined) {
    return;
  }
  const rival = await rivals[name](new Circles(crowd.positions(), crowd.radii));
  if (values[side] === name && runners.includes(runner) && runner.rival === undefined) {
    runner.rival = rival;
    runner.ms = 0;
    findOut();
  } else {
    rival.release(); // another one was chosen meanwhile
  }
}

/** Lets both sides find the contacts while nothing moves: they should show the same. */
function findOut(): void {
  runners.forEach((runner) => step(runner, 0));
}

function make(): void {
  const [wide, high] = halfOf(canvas, 0);
  const scale = Math.sqrt((wide * high) / 260_000); // the same area on every screen
  const area = { width: wide / scale, height: high / scale };
  for (const { crowd, rival } of runners.splice(0)) {
    crowd.release();
    rival?.release();
  }
  (['left', 'right'] as const).forEach((side, i) => {
    const { count: circles, seed } = values;
    const crowd = new Crowd({
      count: circles,
      seed,
      ...area,
      cover: 0.2,
      mix: 6,
      bounce: false, // a response sweeps fast circles along their paths, which the rivals do not
      technique: techniqueOf(values[side]),
    });
    const world = { min: { x: 0, y: 0 }, max: { x: area.width, y: area.height } };
    const runner = { side, crowd, view: fit(world, ...halfOf(canvas, i)), rival: undefined, ms: 0 };
    runners.push(runner);
    crowd.step(0);
    void enter(runner);
  });
  picked = Math.min(picked, values.count - 1);
}

make();

page.side
  .querySelector('.readouts')
  ?.before(legend(['selected', white], ['touching', accent], ['tested, not touching', okabeIto.sky]));
const shown = (['left', 'right'] as const).map((side) => ({
  tests: page.readout(`${side}-tests`, `tests, ${side}`),
  ms: page.readout(`${side}-ms`, `ms, ${side}`),
  each: page.readout(`${side}-each`, `tests/circle, ${side}`),
  touching: page.readout(`${side}-touching`, `contacts, ${side}`),
}));
// A column for each side: the numbers are added row by row.
const numbers = page.side.querySelector('.readouts') as HTMLElement;
for (const name of ['tests', 'each', 'ms', 'touching']) {
  for (const side of ['left', 'right']) {
    numbers.append(numbers.querySelector(`[data-readout="${side}-${name}"]`)!.parentElement!);
  }
}
const labels = addLabels(page.stage);

/** Draws the circles that the circle under the pointer is compared with. */
function drawCandidates({ side, crowd, rival }: Runner): void {
  const { ink } = flat;
  const { radii, world } = crowd;
  const body = crowd.body(picked)!;
  const touched = new Set(world.contactsOf(body).map(({ b }) => crowd.indexOf(b)));
  const positions = crowd.positions().slice();
  const at = (i: number): Point => ({ x: positions[2 * i]!, y: positions[2 * i + 1]! });
  const compared = rival?.comparedWith(picked) ?? comparedWith(techniqueOf(values[side]), crowd, positions, picked);
  for (const i of compared) {
    const touches = touched.has(i);
    ink.strokeStyle = touches ? accent : faded(okabeIto.sky, 0.3);
    ink.lineWidth = touches ? 2 : flat.hair;
    flat.line(at(picked), at(i));
    ink.fillStyle = touches ? accent : okabeIto.sky;
    flat.disc(at(i), radii[i]!);
  }
  ink.fillStyle = white;
  flat.disc(at(picked), radii[picked]!);
  ink.strokeStyle = white;
  ink.lineWidth = 1.5;
  flat.ring(at(picked), radii[picked]! + 5);
}

/** Draws the cells, clipped to the picture: those at the border extend into the other half. */
function drawCells({ world, options: { width, height } }: Crowd): void {
  const { ink } = flat;
  ink.save();
  ink.beginPath();
  ink.rect(0, 0, width, height);
  ink.clip();
  ink.strokeStyle = faded(white, 0.13);
  for (const cell of world.cells()) {
    flat.frame(cell);
  }
  ink.restore();
}

function draw(): void {
  painter.clear(ground);
  flat.beginOver();
  for (const [i, runner] of runners.entries()) {
    const { side, crowd, view, rival, ms } = runner;
    const { length, radii, glow } = crowd;
    painter.circles({ length, positions: crowd.positions(), radii, glow, colour: quiet, lit: '#8a671d' }, view);
    flat.look(view);
    if (values.cells && rival === undefined) {
      drawCells(crowd);
    }
    drawCandidates(runner);
    const show = shown[i]!;
    if (rival === undefined && rivalOf(values[side]) !== undefined) {
      labels[i]!(`loading ${values[side]}`);
      Object.values(show).forEach((one) => one('–'));
      continue;
    }
    const tests = rival === undefined ? crowd.world.statistics().tests : rival.tests();
    show.tests(tests === undefined ? 'unknown' : count(tests));
    show.each(tests === undefined ? '–' : (tests / length).toFixed(1));
    show.touching(count(rival?.touching() ?? crowd.touching));
    show.ms(ms.toFixed(2));
    labels[i]!(values[side]);
  }
  drawGap(flat);
}

/** Measures the time to find the contacts. */
function time(runner: Runner, find: () => void): void {
  const started = performance.now();
  find();
  runner.ms += (performance.now() - started - runner.ms) * 0.05;
}

function step(runner: Runner, seconds: number): void {
  const { crowd, rival } = runner;
  crowd.step(seconds, (name, stage) => {
    if (name !== 'detect') {
      stage();
    } else if (rival === undefined) {
      time(runner, stage);
    } else {
      // Before our world detects, too: its response moves circles apart.
      rival.move(crowd.positions());
      time(runner, () => rival.find());
      stage();
    }
  });
}

startLoop(page, { step: (seconds) => runners.forEach((runner) => step(runner, seconds)), draw }, state);

function pick(event: PointerEvent): void {
  for (const [i, { crowd, view }] of runners.entries()) {
    const [wide, high, left, top] = halfOf(canvas, i);
    const at = worldAt(event, canvas, view);
    const pixel = { x: at.x * view.scale + view.x - left, y: at.y * view.scale + view.y - top };
    if (pixel.x < 0 || pixel.y < 0 || pixel.x > wide || pixel.y > high) {
      continue;
    }
    const [near] = crowd.world.nearest(at, 1, undefined, { staticBodies: false });
    picked = near === undefined ? picked : crowd.indexOf(near.body);
  }
}
flat.canvas.addEventListener('pointermove', pick);
flat.canvas.addEventListener('pointerdown', pick);

for (const [i, side] of (['left', 'right'] as const).entries()) {
  page.gui.add(values, side, [...contestants]).onChange(() => {
    state.save();
    const runner = runners[i]!;
    runner.crowd.world.setTechnique(techniqueOf(values[side]));
    void enter(runner);
    findOut();
    runner.crowd.detectAgain(); // so that a paused page shows the cost
  });
}
function remake(): void {
  state.save();
  make();
}
page.gui.add(values, 'cells').name('cells').onChange(state.save);
addSlider(page.gui, values, 'count', 10, 5000, 10).name('circles').onFinishChange(remake);
addSlider(page.gui, values, 'seed', 1, 9999).onFinishChange(remake);
