import { ready, World, type Aabb, type Cell, type Point } from 'broadside';
import { accent, faded, ground, hairline, ink as white, okabeIto, quiet } from '../shared/colours';
import { Flat, worldOf } from '../shared/flat';
import { isTaken } from '../shared/keys';
import { startLoop } from '../shared/loop';
import { choices, count, legend, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { techniques } from '../shared/techniques';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { outline } from '../shared/outline';
import { questionNames, questions, type Answer } from './questions';
import { fill, type Thing } from './scene';

const page = openPage(
  'query-lab',
  'Point at a target, or use the arrow keys. Press to set the start. Queries see each body at its current position. ' +
    'The picture highlights visited cells (uniform and hash grid) or tree nodes (hierarchical grid).',
);
const state = stateOf({
  ask: choice('ray', questionNames),
  technique: choice('hierarchical-grid', techniques),
  cells: flag(true),
  count: whole(190, 1, 3000),
  seed: whole(3, 1, 9999),
  paused: flag(false),
});
const { values } = state;
await ready;

let area: Aabb;
let world: World;
let things: readonly Thing[];
let from: Point;
let pointed: Point | undefined;
let time = 0;
const flat = new Flat(page.stage, make);

function make(): void {
  world?.release();
  area = worldOf(page.stage, 640);
  world = new World({ response: 'bounce', technique: values.technique });
  things = fill(world, area, values.count, values.seed);
  from = freePlace();
  pointed = undefined;
  world.step(0);
}

/** Returns a free place near the middle: a ray or shape that starts inside a body hits it at once. */
function freePlace(): Point {
  const middle = { x: area.max.x / 2, y: area.max.y / 2 };
  for (let turn = 0; turn < 400; ++turn) {
    const reach = 9 * Math.sqrt(turn);
    const place = { x: middle.x + reach * Math.cos(2.4 * turn), y: middle.y + reach * Math.sin(2.4 * turn) };
    if (world.nearest(place, 1, 50).length === 0) {
      return place;
    }
  }
  return middle;
}
make();

/** The target of the query: the pointer, or a slow sweep without one. */
function goal(): Point {
  const reach = Math.hypot(area.max.x, area.max.y) * 0.36;
  return pointed ?? { x: from.x + Math.cos(time * 0.4 - 0.5) * reach, y: from.y + Math.sin(time * 0.4 - 0.5) * reach };
}

const repeats = 20; // clocks of browsers are too coarse for a single query
let microseconds = 0;

function ask(): Answer {
  const question = questions[values.ask];
  const to = goal();
  const started = performance.now();
  for (let i = 1; i < repeats; ++i) {
    question(world, from, to);
  }
  const answer = question(world, from, to);
  microseconds += ((1000 * (performance.now() - started)) / repeats - microseconds) * 0.05;
  return answer;
}

page.side
  .querySelector('.readouts')
  ?.before(legend(['query', okabeIto.sky], ['first result', accent], ['other results', '#8a671d']));
const showFound = page.readout('found', 'bodies found');
const showTime = page.readout('time', 'µs per query');
const showVisited = page.readout('visited', 'cells or nodes visited');

/** Returns the cells or nodes of queries, with the number of visits by the current query. */
function watch(): Cell[] {
  world.watchQueries(true);
  questions[values.ask](world, from, goal());
  const cells = world.queryCells();
  world.watchQueries(false);
  return cells;
}

/** Draws the cells or nodes of queries, parents over children, and highlights those that this query visits. */
function drawCells(): void {
  const { ink } = flat;
  const cells = values.cells ? watch() : [];
  const visited = cells.filter(({ visits }) => visits > 0);
  ink.fillStyle = faded(okabeIto.sky, 0.05);
  ink.strokeStyle = hairline;
  for (const cell of cells) {
    flat.frame(cell);
    if (cell.level === 0) {
      flat.box(cell);
    }
  }
  ink.fillStyle = faded(okabeIto.sky, 0.15);
  for (const cell of visited) {
    ink.strokeStyle = faded(okabeIto.sky, cell.level === 0 ? 0.3 : 0.6);
    flat.frame(cell);
    if (cell.level === 0) {
      flat.box(cell);
    }
  }
  showVisited(cells.length > 0 ? `${count(visited.length)} of ${count(cells.length)}` : '–');
}

function draw(): void {
  const { ink } = flat;
  flat.begin(area);
  const answer = ask();
  drawCells();
  const found = new Set(answer.found);
  ink.strokeStyle = ground; // a gap that separates overlapping bodies
  ink.lineWidth = 1.2;
  for (const { body, shape, angle } of things) {
    ink.fillStyle = body === answer.first ? accent : found.has(body) ? '#8a671d' : quiet;
    outline(ink, shape, body.position, angle);
    ink.fill();
    ink.stroke();
  }
  answer.draw(flat);
  if (values.ask !== 'nearest') {
    ink.fillStyle = white;
    flat.disc(from, 3);
  }
  showFound(count(found.size));
  showTime(microseconds.toFixed(0));
}

startLoop(
  page,
  {
    step(seconds) {
      time += seconds;
      world.step(seconds);
    },
    draw,
  },
  state,
);

const { canvas } = flat;
canvas.addEventListener('pointermove', (event) => (pointed = flat.at(event)));
canvas.addEventListener('pointerdown', (event) => {
  from = flat.at(event);
  pointed = from;
});
canvas.addEventListener('pointerleave', (event) => {
  pointed = event.pointerType === 'mouse' ? undefined : pointed;
});

const arrows: Readonly<Record<string, Point>> = {
  ArrowUp: { x: 0, y: -12 },
  ArrowLeft: { x: -12, y: 0 },
  ArrowDown: { x: 0, y: 12 },
  ArrowRight: { x: 12, y: 0 },
};
addEventListener('keydown', (event) => {
  const way = arrows[event.key];
  if (way !== undefined && !isTaken(event)) {
    event.preventDefault();
    const now = goal();
    pointed = { x: now.x + way.x, y: now.y + way.y };
  }
});

const asked = choices(
  questionNames.map((name) => [name, name] as const),
  (name) => {
    values.ask = name;
    microseconds = 0;
    asked.show(name);
    state.save();
  },
);
asked.show(values.ask);
page.gui.domElement.before(asked.row);
page.gui.add(values, 'technique', [...techniques]).onChange(() => {
  state.save();
  world.setTechnique(values.technique);
  world.step(0);
});
page.gui.add(values, 'cells').name('cells or nodes').onChange(state.save);
addSlider(page.gui, values, 'count', 1, 3000)
  .name('bodies')
  .onFinishChange(() => {
    state.save();
    make();
  });
