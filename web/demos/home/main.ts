import { ready } from 'broadside';
import { accent, ground, quiet } from '../shared/colours';
import { Crowd } from '../shared/crowd';
import { addHero } from '../shared/hero';
import { startLoop } from '../shared/loop';
import { bytes, count, element, openPage, roughly } from '../shared/page';
import { pages } from '../shared/pages';
import { Painter } from '../shared/painter';
import { addSlider } from '../shared/slider';
import { StageTimes } from '../shared/stage_times';
import { techniques } from '../shared/techniques';
import { choice, flag, stateOf, whole } from '../shared/url_state';
import { addCanvas, fit } from '../shared/view';

const page = openPage(
  '',
  'Each circle that touches another lights up. Your browser finds all contacts in every frame.',
);
const quick = techniques.filter((one) => one !== 'brute-force'); // which would never finish with a million
const state = stateOf({
  count: whole(20_000, 10, 1_000_000),
  seed: whole(1, 1, 9999),
  technique: choice('hierarchical-grid', quick),
  bounce: flag(true),
  mixed: flag(true),
  paused: flag(false),
});
const { values } = state;
await ready;

let crowd: Crowd;
const canvas = addCanvas(page.stage, remakeSoon);
const painter = new Painter(canvas);
page.stage.classList.add('scrolls');

function make(): void {
  crowd?.release();
  // One unit of length is a CSS pixel, so speeds look the same everywhere.
  crowd = new Crowd({
    ...values,
    width: page.stage.clientWidth,
    height: page.stage.clientHeight,
    cover: 0.28,
    mix: values.mixed ? 5 : 1,
  });
  crowd.step(0);
}

let timer: ReturnType<typeof setTimeout> | undefined;
function remakeSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(remake, 150);
}

/** Making a million circles takes seconds: shows a message first, and lets the browser draw it. */
function remake(): void {
  const many = values.count > 100_000;
  const before = page.said();
  if (many) {
    page.say(`Placing ${count(values.count)} circles`);
  }
  setTimeout(
    () => {
      make();
      times.forget();
      if (many) {
        page.say(before);
      }
    },
    many ? 50 : 0,
  );
}

function changed(): void {
  state.save();
  remake();
}

addHero(page.side, {
  name: 'count',
  label: 'Circles',
  min: 1000,
  max: 1_000_000,
  value: values.count,
  text: count,
  chosen: (value) => {
    values.count = value;
    changed();
  },
});
const showContacts = page.readout('contacts', 'contacts');
const showTests = page.readout('tests', 'box pairs tested');
const times = new StageTimes(page.section('Time of each stage'), ['detect', 'bounce', 'move', 'light', 'draw']);
const showAll = page.readout('all', 'possible pairs');
const showBytes = page.readout('bytes', 'memory of the world');

make();
let frames = 0;
startLoop(
  page,
  {
    step: (seconds) => crowd.step(seconds, (name, stage) => times.run(name, stage)),
    draw() {
      times.run('draw', () => {
        painter.clear(ground);
        const world = { min: { x: 0, y: 0 }, max: { x: crowd.options.width, y: crowd.options.height } };
        const view = fit(world, canvas.width, canvas.height);
        const { length, radii, glow } = crowd;
        painter.circles({ length, positions: crowd.positions(), radii, glow, colour: quiet, lit: accent }, view);
      });
      if (frames++ % 12 === 0) {
        times.show();
        showContacts(count(crowd.world.contactCount));
        showTests(count(crowd.world.statistics().tests));
        showAll(roughly((crowd.length * (crowd.length - 1)) / 2));
        showBytes(bytes(crowd.world.bytes));
      }
    },
  },
  state,
);

page.gui.add(values, 'technique', quick).onChange(() => {
  state.save();
  crowd.world.setTechnique(values.technique); // the cost changes, never the picture
  crowd.detectAgain(); // so that a paused page shows the cost
  times.forget();
});
page.gui.add(values, 'bounce').onChange(changed);
page.gui.add(values, 'mixed').name('mixed sizes').onChange(changed);
addSlider(page.gui, values, 'seed', 1, 9999).onFinishChange(changed);

const others = element('ul', { class: 'others' });
for (const { path, title } of pages.slice(1)) {
  others.append(element('li', {}, element('a', { href: `./${path}/` }, title)));
}
page.section('More demos').append(others);
