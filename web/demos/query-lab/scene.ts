import { box, capsule, circle, polygon, World, type Aabb, type Body, type Shape } from 'broadside';
import { random } from '../shared/random';
import { addWalls } from '../shared/walls';

/** A body with the data to draw it. */
export interface Thing {
  readonly body: Body;
  readonly shape: Shape;
  readonly angle: number;
}

function someShape(next: () => number): Shape {
  const size = 9 + 22 * next() ** 2;
  switch (Math.floor(next() * 4)) {
    case 0:
      return box(2 * size, size * (0.7 + 1.2 * next()));
    case 1:
      return capsule({ x: -size, y: 0 }, { x: size, y: 0 }, size * 0.45);
    case 2: {
      const corners = 3 + Math.floor(next() * 4);
      const at = (i: number) => (2 * Math.PI * i) / corners;
      return polygon(
        Array.from({ length: corners }, (_, i) => ({ x: size * Math.cos(at(i)), y: size * Math.sin(at(i)) })),
      );
    }
    default:
      return circle(size);
  }
}

/** Fills a world with drifting shapes of all kinds. */
export function fill(world: World, area: Aabb, count: number, seed: number): Thing[] {
  const next = random(seed);
  addWalls(world, area);
  return Array.from({ length: count }, () => {
    const shape = someShape(next);
    const angle = next() * 2 * Math.PI;
    const way = next() * 2 * Math.PI;
    const fast = 4 + 14 * next();
    const body = world.add({
      shape,
      angle,
      position: { x: 34 + next() * (area.max.x - 68), y: 34 + next() * (area.max.y - 68) },
      velocity: { x: Math.cos(way) * fast, y: Math.sin(way) * fast },
    });
    return { body, shape, angle };
  });
}
