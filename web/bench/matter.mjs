// Compares broadside/matter with the detector of matter-js, collision tests included: two engines with the same scene take
// turns, frame by frame. Prints a markdown table.
//   npm run matter -w bench -- [--frames=300] [--bodies=20,50,100] [--fewest=0]
import { parseArgs } from 'node:util';
import { ready } from 'broadside';
import { install } from 'broadside/matter';
import Matter from 'matter-js';

const { Bodies, Body, Composite, Detector, Engine } = Matter;
const { values: options } = parseArgs({
  options: {
    frames: { type: 'string', default: '300' },
    bodies: { type: 'string', default: '20,50,100,200,500,1000,2000,4000' },
    fewest: { type: 'string' },
  },
});
const frames = Number(options.frames);
const fewest = options.fewest === undefined ? undefined : Number(options.fewest);
const rounds = 2;

/** Boxes of 12 pixels between four walls that fly about, or fall into a pile. */
function make(scene, n) {
  let state = 1;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const engine = Engine.create();
  engine.gravity.y = scene === 'pile' ? 1 : 0;
  const width = Math.max(200, Math.sqrt(n) * (scene === 'pile' ? 14 : 24));
  const wall = (x, y, wide, high) => Bodies.rectangle(x, y, wide, high, { isStatic: true });
  Composite.add(engine.world, [
    wall(width / 2, -50, width + 200, 100),
    wall(width / 2, width + 50, width + 200, 100),
    wall(-50, width / 2, 100, width + 200),
    wall(width + 50, width / 2, 100, width + 200),
  ]);
  const still = scene === 'pile' ? {} : { restitution: 1, friction: 0, frictionAir: 0 };
  for (let i = 0; i < n; ++i) {
    const body = Bodies.rectangle(10 + (width - 20) * next(), 10 + (width - 20) * next(), 12, 12, still);
    Body.setVelocity(body, { x: 4 * next() - 2, y: 4 * next() - 2 });
    Composite.add(engine.world, body);
  }
  return engine;
}

/** Returns an engine that updates with a detector, and the times that this takes. */
function runner(scene, n, findCollisions) {
  const engine = make(scene, n);
  const times = [];
  return {
    times,
    engine,
    update: () => {
      Detector.collisions = (detector) => {
        const start = performance.now();
        const found = findCollisions(detector);
        times.push(performance.now() - start);
        return found;
      };
      Engine.update(engine, 1000 / 60);
    },
  };
}

await ready;
const theirs = Detector.collisions;
install(Matter, undefined, fewest);
const ours = Detector.collisions;
const us = (ms) => (1000 * ms).toPrecision(3);

console.log('| scene | bodies | matter-js, mean (µs) | ours, mean | ratio | matter-js, worst | ours, worst |');
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const scene of ['gas', 'pile']) {
  for (const n of options.bodies.split(',').map(Number)) {
    const found = [];
    for (let round = 0; round < rounds; ++round) {
      const pair = [theirs, ours].map((finder) => runner(scene, n, finder));
      for (let frame = 0; frame < frames; ++frame) {
        (frame % 2 === 0 ? pair : pair.toReversed()).forEach(({ update }) => update());
        const [a, b] = pair.map(({ engine }) => engine.detector.collisions.length);
        if (a !== b) {
          throw new Error(`${scene} of ${n}, frame ${frame}: ${a} and ${b} collisions`);
        }
      }
      found.push(pair.map(({ times }) => times));
    }
    // The smaller of the times of a frame: without what other processes took.
    const times = [0, 1].map((i) =>
      found[0][i].map((_, frame) => Math.min(...found.map((round) => round[i][frame]))).slice(30),
    );
    const means = times.map((all) => all.reduce((a, b) => a + b, 0) / all.length);
    const worst = times.map((all) => Math.max(...all));
    const cells = [scene, n, us(means[0]), us(means[1]), (means[1] / means[0]).toFixed(2), us(worst[0]), us(worst[1])];
    console.log(`| ${cells.join(' | ')} |`);
  }
}
