import { ready, type Cell } from 'broadside';
import { accent, faded, ground, hairline, ink as white, okabeIto } from '../shared/colours';
import { Flat, worldOf } from '../shared/flat';
import { startLoop } from '../shared/loop';
import { count, legend, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { stateOf, flag, whole } from '../shared/url_state';
import { Game } from './game';
import { Steering } from './steering';

const page = openPage(
  'chapter10',
  'Only bodies in the same cell can touch. Steer with WASD, the arrow keys, or a finger held on the target.',
);
const state = stateOf({
  cell: whole(150, 20, 400),
  food: whole(40, 0, 400),
  poison: whole(16, 0, 400),
  seed: whole(1, 1, 9999),
  paused: flag(false),
});
const { values } = state;
await ready;

let game: Game;
const flat = new Flat(page.stage, make);
const steering = new Steering(flat);

function make(): void {
  game?.world.release();
  game = new Game({ ...values, area: worldOf(page.stage, 760) });
}
make();

page.side
  .querySelector('.readouts')
  ?.before(legend(['player', white], ['food', okabeIto.green], ['poison', okabeIto.vermillion]));
const showEaten = page.readout('eaten', 'food eaten');
const showPoisoned = page.readout('poisoned', 'poison eaten');
const showCells = page.readout('cells', 'occupied cells');
const showTests = page.readout('tests', 'pairs tested');

function drawCells(cells: readonly Cell[]): void {
  const { ink } = flat;
  ink.strokeStyle = hairline;
  flat.grid(game.options.area, values.cell);
  for (const cell of cells) {
    ink.fillStyle = faded(accent, 0.03 + 0.03 * Math.min(6, cell.boxes));
    flat.box(cell);
    ink.strokeStyle = faded(accent, 0.4);
    flat.frame(cell);
  }
}

function drawCounts(cells: readonly Cell[]): void {
  const { ink } = flat;
  const size = Math.min(values.cell * 0.32, 32);
  ink.font = `600 ${size}px system-ui, 'DejaVu Sans', sans-serif`;
  ink.textAlign = 'center';
  ink.textBaseline = 'middle';
  ink.lineJoin = 'round';
  ink.lineWidth = size / 6;
  ink.strokeStyle = faded(ground, 0.8); // readable on bodies too
  ink.fillStyle = accent;
  for (const { min, max, boxes } of cells) {
    const [text, x, y] = [String(boxes), (min.x + max.x) / 2, (min.y + max.y) / 2 + size * 0.05] as const;
    ink.strokeText(text, x, y);
    ink.fillText(text, x, y);
  }
}

function drawBodies(): void {
  const { ink } = flat;
  for (const { kind, x, y } of game.morsels) {
    if (kind === 'food') {
      ink.fillStyle = okabeIto.green;
      flat.disc({ x, y }, 12);
    } else {
      ink.fillStyle = okabeIto.vermillion;
      ink.beginPath(); // a diamond: recognizable by its form too
      const half = 10 * Math.SQRT2;
      ink.moveTo(x, y - half);
      ink.lineTo(x + half, y);
      ink.lineTo(x, y + half);
      ink.lineTo(x - half, y);
      ink.fill();
    }
  }
  for (const { x, y, kind, age } of game.ripples) {
    ink.strokeStyle = faded(kind === 'food' ? okabeIto.green : okabeIto.vermillion, 1 - age / 0.7);
    ink.lineWidth = 3;
    flat.ring({ x, y }, 14 + 70 * age);
  }
  const half = game.size / 2;
  ink.fillStyle = white;
  ink.beginPath();
  ink.roundRect(game.at.x - half, game.at.y - half, game.size, game.size, 3);
  ink.fill();
}

startLoop(
  page,
  {
    step: (seconds) => game.step(seconds, steering.from(game.at)),
    draw() {
      flat.begin(game.options.area);
      const cells = game.world.cells();
      drawCells(cells);
      drawBodies();
      drawCounts(cells);
      showCells(count(cells.length));
      showEaten(count(game.eaten));
      showPoisoned(count(game.poisoned));
      showTests(count(game.world.statistics().tests));
    },
  },
  state,
);

function changed(): void {
  state.save();
  make();
  game.step(0, { x: 0, y: 0 });
}
addSlider(page.gui, values, 'cell', 20, 400, 10)
  .name('cell size')
  .onChange(() => {
    state.save();
    game.setCell(values.cell);
    game.step(0, { x: 0, y: 0 });
  });
addSlider(page.gui, values, 'food', 0, 400).onFinishChange(changed);
addSlider(page.gui, values, 'poison', 0, 400).onFinishChange(changed);
