import { ready, type Point, type TechniqueName } from 'broadside';
import { accent, faded, ground, ink as white, okabeIto, quiet } from '../shared/colours';
import { Crowd } from '../shared/crowd';
import { Flat } from '../shared/flat';
import { addLabels, drawGap, halfOf } from '../shared/halves';
import { startLoop } from '../shared/loop';
import { count, legend, openPage } from '../shared/page';
import { Painter } from '../shared/painter';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { addCanvas, fit, worldAt, type View } from '../shared/view';
import { comparedWith } from './compared';

const page = openPage(
  'race',
  'Two techniques, one scene. Point at a circle: lines lead to those that brute force and grids compare it with; with the others, to those whose boxes meet.',
);
const techniques = ['hierarchical-grid', 'uniform-grid', 'hash-grid', 'sweep-and-prune', 'brute-force'] as const;
const state = stateOf({
  left: choice('brute-force', techniques),
  right: choice('hierarchical-grid', techniques),
  count: whole(600, 10, 5000),
  seed: whole(2, 1, 9999),
  cells: flag(true),
  paused: flag(false),
});
const { values } = state;
await ready;

/** One of the two, with what it took. */
interface Runner {
  readonly side: 'left' | 'right';
  crowd: Crowd;
  view: View;
  ms: number;
}

const runners: Runner[] = [];
let picked = 0; // the circle that is pointed at, the same one on both sides
const canvas = addCanvas(page.stage, make);
const painter = new Painter(canvas);
const flat = new Flat(page.stage);
page.stage.append(flat.canvas); // over the circles

function make(): void {
  const [wide, high] = halfOf(canvas, 0);
  const scale = Math.sqrt((wide * high) / 260_000); // the same room on every screen
  const area = { width: wide / scale, height: high / scale };
  for (const { crowd } of runners.splice(0)) {
    crowd.release();
  }
  (['left', 'right'] as const).forEach((side, i) => {
    const { count: circles, seed } = values;
    const crowd = new Crowd({
      count: circles,
      seed,
      ...area,
      cover: 0.2,
      mix: 6,
      bounce: true,
      technique: values[side],
    });
    const world = { min: { x: 0, y: 0 }, max: { x: area.width, y: area.height } };
    runners.push({ side, crowd, view: fit(world, ...halfOf(canvas, i)), ms: 0 });
    crowd.step(0);
  });
  picked = Math.min(picked, values.count - 1);
}

make();

page.side
  .querySelector('.readouts')
  ?.before(legend(['pointed at', white], ['touches it', accent], ['compared in vain', okabeIto.sky]));
const shown = (['left', 'right'] as const).map((side) => ({
  tests: page.readout(`${side}-tests`, `tests, ${side}`),
  ms: page.readout(`${side}-ms`, `ms, ${side}`),
  each: page.readout(`${side}-each`, `tests a circle, ${side}`),
}));
// A column for each side: the numbers come in by rows.
const numbers = page.side.querySelector('.readouts') as HTMLElement;
for (const name of ['tests', 'each', 'ms']) {
  for (const side of ['left', 'right']) {
    numbers.append(numbers.querySelector(`[data-readout="${side}-${name}"]`)!.parentElement!);
  }
}
const showPairs = page.readout('contacts', 'contacts, both');
const labels = addLabels(page.stage);

/** Draws whom the circle that is pointed at is compared with. */
function drawCandidates({ side, crowd }: Runner): void {
  const { ink } = flat;
  const { radii, world } = crowd;
  const body = crowd.body(picked)!;
  const touched = new Set(world.contactsOf(body).map(({ b }) => crowd.indexOf(b)));
  const positions = crowd.positions().slice();
  const at = (i: number): Point => ({ x: positions[2 * i]!, y: positions[2 * i + 1]! });
  for (const i of comparedWith(values[side], crowd, positions, picked)) {
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

function draw(): void {
  painter.clear(ground);
  flat.beginOver();
  for (const [i, { side, crowd, view, ms }] of runners.entries()) {
    const { length, radii, glow } = crowd;
    painter.circles({ length, positions: crowd.positions(), radii, glow, colour: quiet, lit: '#8a671d' }, view);
    flat.look(view);
    if (values.cells) {
      flat.ink.strokeStyle = faded(white, 0.13);
      for (const cell of crowd.world.cells()) {
        flat.frame(cell);
      }
    }
    drawCandidates(runners[i]!);
    const show = shown[i]!;
    const { tests } = crowd.world.statistics();
    show.tests(count(tests));
    show.each((tests / length).toFixed(1));
    show.ms(ms.toFixed(2));
    labels[i]!(values[side]);
  }
  showPairs(count(runners[0]!.crowd.world.contactCount));
  drawGap(flat);
}

startLoop(
  page,
  {
    step(seconds) {
      for (const runner of runners) {
        runner.crowd.step(seconds, (name, stage) => {
          const started = performance.now();
          stage();
          if (name === 'detect') {
            runner.ms += (performance.now() - started - runner.ms) * 0.05;
          }
        });
      }
    },
    draw,
  },
  state,
);

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
  page.gui.add(values, side, techniques as unknown as TechniqueName[]).onChange(() => {
    state.save();
    runners[i]!.crowd.world.setTechnique(values[side]);
    runners[i]!.ms = 0;
  });
}
page.gui.add(values, 'cells').name('cells').onChange(state.save);
page.gui
  .add(values, 'count', 10, 5000, 10)
  .name('circles')
  .onFinishChange(() => {
    state.save();
    make();
  });
page.gui.add(values, 'seed', 1, 9999, 1).onFinishChange(() => {
  state.save();
  make();
});
