import { BroadPhase, ready, type TechniqueName } from 'broadside';
import { Chart, steps } from '../shared/chart';
import { accent, faded, okabeIto } from '../shared/colours';
import { Flat } from '../shared/flat';
import { addHero } from '../shared/hero';
import { startLoop } from '../shared/loop';
import { choices, count, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { choice, number, flag, stateOf, whole } from '../shared/url_state';
import { boundsOf, measure, type Cost } from './measure';
import { boxesOf, half, makeScene, moved, sceneNames, sceneTitle, trouble, type Scene } from './scenes';

const page = openPage('cliff', '');
const state = stateOf({
  scene: choice('giant in dust', sceneNames),
  cell: number(60, 2, 512),
  count: whole(3000, 200, 20_000),
  seed: whole(1, 1, 9999),
  show: choice('its cells', ['its cells', 'our cells', 'no cells']),
  paused: flag(false),
});
const { values } = state;
const area = { min: { x: -half, y: -half }, max: { x: half, y: half } };
const sizes = steps(2, 512, 17);
const maxCells = 4e6; // clearing a finer grid would take seconds
const fixed = ['uniform-grid', 'hash-grid'] as const;
await ready;

let scene: Scene;
let circles: Scene; // the scene with its circles at their present positions
let boxes: Float32Array;
let before: Float32Array;
let frame = 0;
let next = 0;
const curves: Record<(typeof fixed)[number], (Cost | null)[]> = { 'uniform-grid': [], 'hash-grid': [] };
let ours: Cost;
let here: Cost | null;
const flat = new Flat(page.stage);

function make(): void {
  scene = makeScene(values.scene, values.count, values.seed);
  circles = scene;
  boxes = boxesOf(scene);
  for (const technique of fixed) {
    curves[technique] = sizes.map(() => null);
  }
  next = 0;
  lead.textContent = trouble[values.scene];
  step();
  here = measureGrid('uniform-grid', values.cell);
  ours = measure('hierarchical-grid', before, boxes);
}

function measureGrid(technique: TechniqueName, cell: number): Cost | null {
  const { min, max } = boundsOf(boxes);
  const cells = ((max.x - min.x) / cell) * ((max.y - min.y) / cell);
  return technique === 'uniform-grid' && cells > maxCells ? null : measure(technique, before, boxes, cell);
}

/** Returns the cell size that the uniform grid measures by default: the width of its cells. */
function measuredCell(): number {
  const phase = new BroadPhase('uniform-grid');
  phase.add(boxes);
  phase.findPairs();
  const [cell] = phase.cells();
  return cell === undefined ? values.cell : Number((cell.max.x - cell.min.x).toPrecision(3));
}

function step(): void {
  before = boxes;
  circles = moved(scene, ++frame);
  boxes = boxesOf(circles);
}

/** Measures one point of the curves per frame: all at once would make the page stutter. */
function measureNext(): void {
  for (const technique of fixed) {
    curves[technique][next] = measureGrid(technique, sizes[next]!);
  }
  next = (next + 1) % sizes.length;
  if (next % 4 !== 0) {
    return;
  }
  ours = measure('hierarchical-grid', before, boxes);
  here = measureGrid('uniform-grid', values.cell);
  for (const [chart, of] of [
    [testsChart, (cost: Cost) => cost.tests],
    [timeChart, (cost: Cost) => cost.ms],
  ] as const) {
    chart.set(
      sizes,
      ...fixed.map((technique) => curves[technique].map((cost) => (cost === null ? null : of(cost)))),
      sizes.map(() => of(ours)),
    );
    chart.mark(values.cell);
  }
}

const lead = page.side.querySelector('.lead')!;
const showGridTests = page.readout('gridtests', 'tests, uniform grid');
const showOurTests = page.readout('ourtests', 'tests, hierarchical');
const showGridTime = page.readout('gridms', 'ms, uniform grid');
const showOurTime = page.readout('ourms', 'ms, hierarchical');
const showPairs = page.readout('pairs', 'pairs, both grids');
const lines = [
  { name: 'uniform grid', colour: okabeIto.sky },
  { name: 'hash grid', colour: okabeIto.purple },
  { name: 'hierarchical grid (no cell size)', colour: accent, dashed: true },
];
const both = { x: true, y: true };
const timeChart = new Chart(page.section('Milliseconds by cell size'), {
  x: 'cell size',
  y: '',
  logarithmic: both,
  lines,
});
const testsChart = new Chart(page.section('Tests by cell size'), { x: 'cell size', y: '', logarithmic: both, lines });

const maxDrawn = 6000; // more cells would be about as small as a pixel

function drawCells(): void {
  if (values.show === 'no cells') {
    return;
  }
  const grid = values.show === 'its cells';
  const phase = new BroadPhase(
    grid ? 'uniform-grid' : 'hierarchical-grid',
    grid ? { cellSize: values.cell, bounds: boundsOf(boxes) } : {},
  );
  phase.add(boxes);
  phase.findPairs();
  const cells = phase.cells();
  if (cells.length > maxDrawn) {
    return;
  }
  const { ink } = flat;
  for (const cell of cells) {
    ink.fillStyle = faded(grid ? okabeIto.sky : accent, Math.min(grid ? 0.5 : 0.16, 0.03 + 0.05 * Math.log2(1 + cell.boxes)));
    flat.box(cell);
  }
  ink.strokeStyle = faded(grid ? okabeIto.sky : accent, grid ? 0.16 : 0.5);
  for (const cell of cells) {
    flat.frame(cell);
  }
}

/** Draws the paths of the bullets in this frame, and the boxes of the paths. */
function drawBullets(positions: Float32Array, radii: Float32Array, ways: Float32Array): void {
  const { ink } = flat;
  for (const [i, radius] of radii.entries()) {
    const [wayX, wayY] = [ways[2 * i]!, ways[2 * i + 1]!];
    if (wayX === 0 && wayY === 0) {
      continue;
    }
    const from = { x: positions[2 * i]!, y: positions[2 * i + 1]! };
    const to = { x: from.x + wayX, y: from.y + wayY };
    ink.strokeStyle = accent;
    ink.lineCap = 'round';
    ink.lineWidth = 2 * radius;
    flat.line(from, to);
    const [minX = 0, minY = 0, maxX = 0, maxY = 0] = boxes.subarray(4 * i, 4 * i + 4);
    ink.lineWidth = 2 * flat.hair;
    flat.frame({ min: { x: minX, y: minY }, max: { x: maxX, y: maxY } });
  }
}

function draw(): void {
  const { ink } = flat;
  flat.begin(area);
  const { positions, radii, ways } = circles;
  ink.fillStyle = '#4d6079';
  ink.beginPath();
  for (const [i, radius] of radii.entries()) {
    const [x, y] = [positions[2 * i]!, positions[2 * i + 1]!];
    ink.moveTo(x + radius, y);
    ink.arc(x, y, radius, 0, 2 * Math.PI);
  }
  ink.fill('nonzero');
  drawCells();
  drawBullets(positions, radii, ways);
  showGridTests(here === null ? 'too many cells' : count(here.tests));
  showGridTime(here === null ? '–' : here.ms.toFixed(2));
  showOurTests(count(ours.tests));
  showOurTime(ours.ms.toFixed(2));
  showPairs(count(ours.pairs));
}

make();
startLoop(
  page,
  {
    step(seconds) {
      if (seconds > 0) {
        step();
        measureNext();
      }
    },
    draw,
  },
  state,
);

const scenes = choices(
  sceneNames.map((name) => [sceneTitle(name), name] as const),
  (name) => {
    values.scene = name;
    scenes.show(name);
    state.save();
    make();
  },
);
scenes.show(values.scene);
page.side.querySelector('.readouts')?.before(scenes.row);
const showCell = addHero(page.side, {
  name: 'cell',
  label: 'Cell size of the uniform grid',
  min: 2,
  max: 512,
  value: values.cell,
  text: String,
  chosen: setCell,
});
function setCell(cell: number): void {
  values.cell = cell;
  state.save();
  here = measureGrid('uniform-grid', cell);
  timeChart.mark(cell);
  testsChart.mark(cell);
}
function pick(): void {
  const cell = measuredCell();
  showCell(cell);
  setCell(cell);
}
page.gui.add({ pick }, 'pick').name('Use the measured cell size');
page.gui
  .add(values, 'show', { 'uniform grid': 'its cells', 'hierarchical grid': 'our cells', none: 'no cells' })
  .name('visible cells')
  .onChange(state.save);
addSlider(page.gui, values, 'count', 200, 20_000, 100)
  .name('circles')
  .onFinishChange(() => {
    state.save();
    make();
  });
