import type { Body } from 'matter-js';
import type { Circles } from './circles';
import type { Rival } from './rival';

/** The detector of matter-js; it passes on the pairs whose boxes touch, and does not report its other tests. */
export async function rivalMatter(circles: Circles): Promise<Rival> {
  const { default: Matter } = await import('matter-js');
  const detector = Matter.Detector.create();
  const bodies = Array.from(circles.radii, (radius, i) => Matter.Bodies.circle(circles.x(i), circles.y(i), radius));
  const placeOf = new Map<Body, number>(bodies.map((body, i) => [body, i]));
  Matter.Detector.setBodies(detector, bodies);

  /** Runs the detector, with its polygon test replaced by one for circles. */
  function detect(meet: (i: number, j: number) => void): void {
    const { collides } = Matter.Collision;
    Matter.Collision.collides = (a, b) => {
      meet(placeOf.get(a)!, placeOf.get(b)!);
      return null as unknown as Matter.Collision;
    };
    Matter.Detector.collisions(detector);
    Matter.Collision.collides = collides;
  }

  let touching = 0;
  return {
    move(positions) {
      circles.moveTo(positions);
      bodies.forEach(({ bounds }, i) => {
        const [x, y, radius] = [circles.x(i), circles.y(i), circles.radius(i)];
        bounds.min.x = x - radius;
        bounds.min.y = y - radius;
        bounds.max.x = x + radius;
        bounds.max.y = y + radius;
      });
    },
    find() {
      touching = 0;
      detect((i, j) => (touching += circles.touch(i, j) ? 1 : 0));
    },
    touching: () => touching,
    tests: () => undefined,
    comparedWith(circle) {
      const others: number[] = [];
      detect((i, j) => {
        if (i === circle || j === circle) {
          others.push(i === circle ? j : i);
        }
      });
      return others;
    },
    release() {},
  };
}
