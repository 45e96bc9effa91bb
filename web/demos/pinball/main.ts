import { ready } from 'broadside';
import { Chart } from '../shared/chart';
import { accent, ink as white, okabeIto } from '../shared/colours';
import { Flat } from '../shared/flat';
import { addHero } from '../shared/hero';
import { startLoop } from '../shared/loop';
import { choices, count, element, legend, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { StageTimes } from '../shared/stage_times';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { phaseNames, phaseTitles, type PhaseName } from './broad_phases';
import { Controls } from './controls';
import { Game } from './game';
import { drawGame, drawTable, met } from './picture';
import { Robot } from './robot';
import { Shares } from './shares';

const page = openPage(
  'pinball',
  'The game runs in p2, unmodified from npm. Only the broad phase changes; the game stays the same. Arrow keys or A ' +
    'and D move the flippers, and space launches a ball. Touch does both. Without input, the game plays itself.',
);
const turns = 'in turns' as const;
const state = stateOf({
  broadphase: choice(turns, [turns, ...phaseNames]),
  balls: whole(8, 1, 100),
  shapes: whole(2000, 400, 2000),
  seed: whole(1, 1, 9999),
  paused: flag(false),
});
const { values } = state;
const turnSteps = 120; // the two broad phases alternate every two seconds
const alone = 600; // steps without input, after which it plays by itself
await ready;

let game: Game;
let robot: Robot;
let untouched = alone;
let drawMs = 0;
const below = new Flat(page.stage, () => drawTable(below, game.pieces));
const flat = new Flat(page.stage);
page.stage.append(flat.canvas); // over the table
const controls = new Controls(flat.canvas, () => {
  untouched = 0;
  if (values.paused) {
    loop.setPaused(false);
  }
});

function make(): void {
  game = new Game(values.shapes, values.balls, values.seed);
  robot = new Robot();
  drawTable(below, game.pieces);
}
make();

function working(): PhaseName {
  if (values.broadphase === turns) {
    return game.steps % (2 * turnSteps) < turnSteps ? 'sweep' : 'broadside';
  }
  return values.broadphase;
}

page.side
  .querySelector('.readouts')
  ?.before(legend(['ball', white], ['just hit', accent], ['candidate pair with a ball', met]));
const showScore = page.readout('score', 'score');
const showLost = page.readout('lost', 'balls lost');
const shown = phaseNames.map((name) => ({
  name,
  share: page.readout(`${name}-share`, `frame %, ${name}`),
  ms: page.readout(`${name}-ms`, `ms, ${name}`),
}));
const label = element('p', { class: 'runner' });
page.stage.append(label);
const times = new StageTimes(page.section('Time per frame'), ['broad phase', 'rest of the step', 'draw']);
const chart = new Chart(page.section('Percent of the frame time, last frames'), {
  x: 'frames',
  y: '',
  lines: [
    { name: phaseTitles.sweep, colour: okabeIto.sky },
    { name: phaseTitles.naive, colour: okabeIto.purple },
    { name: phaseTitles.broadside, colour: accent },
  ],
  height: 150,
});
const shares = new Shares();

function step(): void {
  const name = working();
  const { broadPhases } = game;
  broadPhases.chosen = name;
  broadPhases.ms = 0;
  const started = performance.now();
  game.step(++untouched > alone ? robot.keys(game) : controls.read());
  const passed = performance.now() - started;
  times.take('broad phase', broadPhases.ms);
  times.take('rest of the step', passed - broadPhases.ms);
  shares.note(name, broadPhases.ms, passed + drawMs);
}

function draw(): void {
  const started = performance.now();
  flat.beginOver();
  flat.look(below.view);
  drawGame(flat, game);
  drawMs = performance.now() - started;
  times.take('draw', drawMs);
}

let frames = 0;
const loop = startLoop(
  page,
  {
    step(seconds) {
      if (seconds > 0) {
        step();
      }
    },
    draw() {
      draw();
      showScore(count(game.score));
      showLost(count(game.lost));
      label.textContent = phaseTitles[working()];
      if (frames++ % 12 === 0) {
        times.show();
        chart.set(...shares.lines());
        for (const { name, share, ms } of shown) {
          const percent = shares.percent(name);
          share(percent === undefined ? '–' : `${percent.toFixed(0)} %`);
          ms(shares.ms(name)?.toFixed(2) ?? '–');
        }
      }
    },
  },
  state,
  'p',
);

const phases = choices([['alternate', turns], ...phaseNames.map((name) => [name, name] as const)], (chosen) => {
  values.broadphase = chosen;
  phases.show(chosen);
  state.save();
});
phases.show(values.broadphase);
page.side.querySelector('.readouts')?.before(phases.row);
addHero(page.side, {
  name: 'balls',
  label: 'Balls',
  min: 1,
  max: 100,
  value: values.balls,
  text: (value) => count(Math.round(value)),
  chosen(value) {
    values.balls = game.ballCount = Math.round(value);
    state.save();
  },
});
function restart(): void {
  state.save();
  make();
}
page.gui.add({ restart }, 'restart').name('Restart');
addSlider(page.gui, values, 'shapes', 400, 2000, 50).name('static shapes').onFinishChange(restart);
addSlider(page.gui, values, 'seed', 1, 9999).onFinishChange(restart);
