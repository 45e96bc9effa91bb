import { box, BoxArray, BroadPhase, findPairs, ready, World } from 'broadside';
import { center, sides } from '../boxes.mjs';

await ready;

/** `findPairs` on boxes in the module's memory: no state is kept between frames. */
export function findPairsOnce({ n }) {
  const boxes = new BoxArray(n);
  let pairs;
  return {
    write: (corners) => boxes.view.set(corners),
    find: () => (pairs = findPairs(boxes)),
    pairs: () => pairs,
    end: () => boxes.release(),
  };
}

/** `BroadPhase`: static boxes are added once, moving boxes are moved in each frame. */
export function broadPhase({ n, statics, boxes }) {
  const phase = new BroadPhase();
  phase.add(boxes.subarray(0, 4 * statics), 'static');
  const moving = phase.add(boxes.subarray(4 * statics));
  const moved = new BoxArray(n - statics);
  let pairs;
  return {
    write: (corners) => moved.view.set(corners.subarray(4 * statics)),
    find: () => {
      phase.move(moving, moved);
      pairs = phase.findPairs();
    },
    pairs: () => pairs,
    end: () => moved.release(),
  };
}

/** A step of `World`: tests shapes, keeps contacts, and finds begins and ends. */
export function world({ n, statics, boxes }) {
  const made = new World();
  const bodies = made.addAll(
    Array.from({ length: n }, (_, i) => ({
      shape: box(...sides(boxes, i)),
      position: center(boxes, i),
      type: i < statics ? 'static' : 'dynamic',
    })),
  );
  const places = new Uint32Array(2 * n);
  bodies.forEach((body, i) => (places[body.index] = i));
  return {
    write: (corners) => {
      for (let i = statics; i < n; ++i) {
        bodies[i].position = center(corners, i);
      }
    },
    list: () => made.list(bodies),
    find: () => made.step(0),
    pairs: () => {
      const { length, bodies: four } = made.readContacts();
      return Array.from({ length: 2 * length }, (_, i) => places[four[2 * i]]);
    },
    readAll: () => {
      let sum = 0;
      for (const body of bodies) {
        const { x, y } = body.position;
        sum += x + y;
      }
      return sum;
    },
    end: () => made.release(),
  };
}

/** The same; the positions of all bodies are read in one call. */
export function worldInBulk(workload) {
  const one = world(workload);
  const list = one.list();
  return {
    ...one,
    readAll: () => list.readPositions().reduce((sum, x) => sum + x, 0),
    end: () => {
      list.release();
      one.end();
    },
  };
}
