import { ready, type Aabb } from 'broadside';
import { accent, faded, faint, ground, hairline, ink as white, okabeIto, quiet } from '../shared/colours';
import { Flat, worldOf } from '../shared/flat';
import { startLoop } from '../shared/loop';
import { count, legend, openPage } from '../shared/page';
import { addSlider } from '../shared/slider';
import { flag, stateOf, whole } from '../shared/url_state';
import { memory, Story } from './story';

const page = openPage(
  'events',
  'The world reports each contact when it begins, while it stays and when it ends. The hole’s callback removes balls.',
);
const state = stateOf({ seed: whole(1, 1, 9999), paused: flag(false) });
const { values } = state;
const share = 0.56; // of the picture for the balls; the rest shows the past
const lane = 22;
await ready;

let area: Aabb;
let story: Story;
const flat = new Flat(page.stage, make);

function make(): void {
  story?.world.release();
  area = worldOf(page.stage, 480);
  const height = area.max.y * share;
  const lanes = Math.floor((area.max.y - height - 24) / lane);
  story = new Story({ min: area.min, max: { x: area.max.x, y: height } }, lanes, values.seed);
  for (let step = 0; step < 60 * memory; ++step) {
    story.step(1 / 60); // so that there is a past to show
  }
}
make();

page.side
  .querySelector('.readouts')
  ?.before(legend(['begin', accent], ['stay', okabeIto.blue], ['end', white], ['end by removal', okabeIto.vermillion]));
const showBegun = page.readout('begun', 'contacts begun');
const showEnded = page.readout('ended', 'contacts ended');
const showStaying = page.readout('staying', 'current contacts');
const showRemoved = page.readout('removed', 'balls removed');

function text(words: string, x: number, y: number, size: number, colour: string, align: CanvasTextAlign): void {
  const { ink } = flat;
  ink.font = `${size}px system-ui, 'DejaVu Sans', sans-serif`;
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.textBaseline = 'middle';
  ink.fillText(words, x, y);
}

function drawBalls(): void {
  const { ink } = flat;
  const { zone, named } = story;
  ink.fillStyle = faded(okabeIto.blue, 0.22);
  flat.box(zone);
  ink.strokeStyle = faded(okabeIto.sky, 0.5);
  flat.frame(zone);
  text('zone', zone.min.x + 10, zone.min.y + 16, 14, okabeIto.sky, 'left');
  const touching = new Set(story.world.contacts().flatMap(({ a, b }) => [a, b]));
  for (const { body, kind, name, radius } of named) {
    const at = body.alive ? body.position : undefined;
    if (kind === 'zone' || at === undefined) {
      continue;
    }
    if (kind === 'hole') {
      ink.fillStyle = '#000000';
      flat.disc(at, radius);
      ink.strokeStyle = okabeIto.vermillion;
      ink.lineWidth = 2;
      flat.ring(at, radius);
      text(name, at.x, at.y, 14, okabeIto.vermillion, 'center');
      continue;
    }
    const lit = touching.has(body);
    ink.fillStyle = kind === 'pillar' ? '#56657a' : lit ? accent : white;
    flat.disc(at, radius);
    if (kind === 'ball') {
      text(name, at.x, at.y + 1, 15, ground, 'center');
    }
  }
}

function drawPast(): void {
  const { ink } = flat;
  const { x: right, y: bottom } = area.max;
  const top = bottom * share;
  ink.fillStyle = '#0e121a';
  flat.box({ min: { x: 0, y: top }, max: area.max });
  ink.strokeStyle = hairline;
  ink.lineWidth = flat.hair;
  const end = right - 26;
  const at = (time: number) => end - ((story.time - time) / memory) * end;
  for (let second = Math.ceil(story.time - memory); second <= story.time; ++second) {
    flat.line({ x: at(second), y: top }, { x: at(second), y: bottom });
  }
  for (const { name, lane: row, from, until, cause } of story.bars) {
    const y = top + 18 + row * lane;
    const [begin, last] = [at(from), at(until)];
    ink.lineCap = 'round';
    ink.lineWidth = 7;
    ink.strokeStyle = okabeIto.blue;
    flat.line({ x: begin, y }, { x: last, y });
    ink.fillStyle = accent;
    flat.disc({ x: begin, y }, 4.5);
    if (cause !== undefined) {
      ink.fillStyle = cause === 'removed' ? okabeIto.vermillion : white;
      flat.disc({ x: last + (last - begin < 6 ? 6 : 0), y }, cause === 'removed' ? 5.5 : 3.5);
    }
    text(name, begin - 9, y, 12, faint, 'right');
  }
  ink.strokeStyle = quiet;
  ink.lineWidth = flat.hair;
  flat.line({ x: end, y: top }, { x: end, y: bottom });
}

startLoop(
  page,
  {
    step: (seconds) => story.step(seconds),
    draw() {
      flat.begin(area);
      drawBalls();
      drawPast();
      showBegun(count(story.begun));
      showEnded(count(story.ended));
      showStaying(count(story.staying));
      showRemoved(count(story.removed));
    },
  },
  state,
);
addSlider(page.gui, values, 'seed', 1, 9999).onFinishChange(() => {
  state.save();
  make();
});
