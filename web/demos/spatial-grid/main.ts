import { BroadPhase, ready, type Aabb, type TechniqueName } from 'broadside';
import { Chart, steps } from '../shared/chart';
import { accent, faded, hairline, okabeIto } from '../shared/colours';
import { Flat, worldOf } from '../shared/flat';
import { startLoop } from '../shared/loop';
import { bytes, choices, count, legend, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { choice, flag, number, stateOf, whole } from '../shared/url_state';
import { Rings } from './rings';

const page = openPage(
  'spatial-grid',
  'Brute force tests every pair. A grid tests only pairs that share a cell. It needs the right cell size.',
);
const state = stateOf({
  technique: choice('uniform-grid', ['brute-force', 'uniform-grid']),
  cell: number(14.1, 1, 200),
  count: whole(200, 10, 2000),
  one: flag(false),
  paused: flag(true),
});
const { values } = state;
const pale = '#b9c5d6'; // touching ones are darker
await ready;

let area: Aabb;
let rings: Rings;
let phase: BroadPhase;
let indices: Uint32Array;
let touching = new Set<number>();
const flat = new Flat(page.stage, make);

function make(): void {
  area = worldOf(page.stage, 640);
  rings = new Rings(values.count, area.max.x, area.max.y);
  choose();
}

function newPhase(technique: TechniqueName, cellSize: number): BroadPhase {
  return new BroadPhase(technique, technique === 'brute-force' ? {} : { cellSize, bounds: area });
}

function choose(): void {
  phase = newPhase(values.technique, values.cell);
  indices = phase.add(rings.corners());
  detect();
}

function detect(): void {
  phase.move(indices, rings.corners());
  touching = new Set(phase.findPairs());
}
make();

page.side.querySelector('.readouts')?.before(legend(['not touching', pale], ['touching', accent]));
const showTests = page.readout('tests', 'tests in this frame');
const showTouching = page.readout('touching', 'touching squares');
const showCells = page.readout('cells', 'occupied cells');
const showAll = page.readout('allcells', 'all cells');
const showBoxes = page.readout('boxes', 'squares');
const showBytes = page.readout('bytes', 'memory used');

// Figures 1 and 10 of the article, measured while the page is open.
const testsChart = new Chart(page.section('Tests by number of squares'), {
  x: 'squares',
  y: '',
  logarithmic: { x: true, y: true },
  lines: [
    { name: 'brute force', colour: okabeIto.sky },
    { name: 'grid with this cell size', colour: accent },
  ],
});
const memoryChart = new Chart(page.section('Bytes over the last seconds'), {
  x: 'frames',
  y: '',
  lines: [{ name: 'memory used by the technique', colour: accent }],
  height: 150,
});
const history: number[] = [];

function measureTests(): void {
  const counts = steps(20, 2000, 9).map(Math.round);
  const tests = (technique: TechniqueName) =>
    counts.map((n) => {
      const one = newPhase(technique, values.cell);
      one.add(new Rings(n, area.max.x, area.max.y).corners());
      one.findPairs();
      return Math.max(1, one.statistics().tests); // there is no logarithm of 0
    });
  testsChart.set(counts, tests('brute-force'), tests('uniform-grid'));
}

function draw(): void {
  const { ink } = flat;
  flat.begin(area);
  const grid = values.technique === 'uniform-grid';
  if (grid) {
    if (values.cell > 3 * flat.hair) {
      ink.strokeStyle = hairline;
      flat.grid(area, values.cell);
    }
    for (const cell of phase.cells()) {
      ink.fillStyle = faded(accent, 0.08 + 0.06 * Math.min(4, cell.boxes));
      flat.box(cell);
    }
  }
  const corners = rings.corners();
  for (let i = 0; i < rings.length; ++i) {
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = corners.subarray(4 * i, 4 * i + 4);
    ink.fillStyle = touching.has(indices[i] as number) ? accent : pale;
    flat.box({ min: { x: minX, y: minY }, max: { x: maxX, y: maxY } });
  }
  const did = phase.statistics();
  showTests(count(did.tests));
  showTouching(count(touching.size));
  showCells(grid ? count(did.occupiedCells) : 'none');
  showAll(grid ? count(did.cells) : 'none');
  showBoxes(count(rings.length));
  showBytes(bytes(did.bytes));
  testsChart.mark(rings.length);
}

let frames = 0;
const loop = startLoop(
  page,
  {
    step(seconds) {
      rings.step(seconds, values.one);
      detect();
      history.push(phase.statistics().bytes);
      history.splice(0, history.length - 300);
      if (frames++ % 15 === 0) {
        memoryChart.set(
          history.map((_, i) => i - history.length),
          history,
        );
      }
    },
    draw,
  },
  state,
);
measureTests();

// As in the article: it runs while the pointer is over it.
const hint = 'Point here to run it. Click to add a square.';
if (values.paused) {
  page.say(hint);
}
flat.canvas.addEventListener('pointerenter', () => loop.setPaused(false));
flat.canvas.addEventListener('pointerleave', () => {
  loop.setPaused(true);
  page.say(hint);
});
flat.canvas.addEventListener('click', (event) => {
  rings.add(flat.at(event));
  choose();
});

const sizes = choices(
  [
    ['cell size 1', 1],
    ['14.1', 14.1],
    ['50', 50],
  ],
  (cell) => setCell(cell),
);
function setCell(cell: number): void {
  values.cell = cell;
  cellControl.updateDisplay();
  sizes.show(cell);
  state.save();
  choose();
  measureTests();
}
sizes.show(values.cell);
page.gui.domElement.before(sizes.row);
const cellControl = addSlider(page.gui, values, 'cell', 1, 200, 0.1).name('cell size').onChange(setCell);
page.gui.add(values, 'technique', ['brute-force', 'uniform-grid']).onChange(() => {
  state.save();
  choose();
});
// As the article observes: if one square moves, both techniques still look at all of them.
page.gui
  .add(values, 'one')
  .name('only one moves')
  .onChange(() => state.save());
addSlider(page.gui, values, 'count', 10, 2000)
  .name('squares')
  .onChange(() => {
    state.save();
    make();
  });
