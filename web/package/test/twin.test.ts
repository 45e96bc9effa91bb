import { beforeAll, expect, it } from 'vitest';
import { any, box, capsule, circle, polygon, ready, segment, World, type Shape } from '../dist/index.js';
import { random } from './random.js';

beforeAll(() => ready);

// tests/world/twin_test.cpp makes the same calls line by line, and expects the same hash.

const next = random(7);

function between(low: number, high: number): number {
  return Math.fround(low + next() * (high - low));
}

function someShape(kind: number): Shape {
  const size = between(2, 9);
  switch (kind) {
    case 0:
      return circle(size);
    case 1:
      return box(2 * size, 2 * between(2, 9));
    case 2:
      return capsule({ x: -size, y: 0 }, { x: size, y: 1 }, 2);
    case 3:
      return segment({ x: -size, y: 0 }, { x: size, y: 1 });
    default:
      return polygon([{ x: 0, y: 0 }, { x: size, y: 1 }, { x: 1, y: size }], 0.5);
  }
}

it('has the hash of the one in C++', () => {
  const world = new World({ response: 'bounce', restitution: 0.9, gravity: { x: 0, y: -30 } });
  for (let i = 0; i < 300; ++i) {
    const position = { x: between(0, 300), y: between(0, 300) };
    const angle = between(-3, 3);
    const velocity = i % 10 === 0 ? { x: 0, y: 0 } : { x: between(-50, 50), y: between(-50, 50) };
    world.add({
      type: i % 10 === 0 ? 'static' : 'dynamic',
      position,
      angle,
      velocity,
      tag: i % 3 === 0 ? 'food' : 'player',
      filter: { layer: i % 7 === 0 ? 2 : 1 },
      bullet: i % 11 === 1,
      sensor: i % 13 === 2,
      shape: someShape(i % 5),
    });
  }
  let begun = 0;
  let ended = 0;
  world.onBegin('food', 'player', ({ b }) => {
    if (++begun % 50 === 0) {
      b.remove();
    }
  });
  world.onEnd(any, any, () => ++ended);
  for (let step = 0; step < 200; ++step) {
    world.step(1 / 60);
  }
  expect({ begun, ended, bodies: world.size, contacts: world.contactCount }).toEqual({ begun: 729, ended: 1586, bodies: 286, contacts: 9 });
  expect(world.hash()).toBe(13726687753873746370n);
});
