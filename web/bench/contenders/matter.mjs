import Matter from 'matter-js';
import { center, sides } from '../boxes.mjs';
import { Sink } from '../sink.mjs';

/** The detector of matter-js; its comparison of shapes is replaced by recording the pair. */
export function detector({ n, statics, boxes }) {
  const sink = new Sink();
  const detector = Matter.Detector.create();
  const { collides } = Matter.Collision;
  const bodies = Array.from({ length: n }, (_, place) => {
    const { x, y } = center(boxes, place);
    const body = Matter.Bodies.rectangle(x, y, ...sides(boxes, place), { isStatic: place < statics });
    body.place = place;
    return body;
  });
  Matter.Detector.setBodies(detector, bodies);
  return {
    write: (corners) => {
      for (const { place, bounds } of bodies) {
        bounds.min.x = corners[4 * place];
        bounds.min.y = corners[4 * place + 1];
        bounds.max.x = corners[4 * place + 2];
        bounds.max.y = corners[4 * place + 3];
      }
    },
    find: () => {
      sink.clear();
      Matter.Collision.collides = (a, b) => {
        sink.add(a.place, b.place);
        return null;
      };
      Matter.Detector.collisions(detector);
      Matter.Collision.collides = collides;
    },
    pairs: () => sink.found(),
    readAll: () => bodies.reduce((sum, { position: { x, y } }) => sum + x + y, 0),
  };
}
