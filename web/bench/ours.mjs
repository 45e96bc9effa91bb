import { box, BoxArray, BroadPhase, findPairs, World } from 'broadside';

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
    Array.from({ length: n }, (_, i) => {
      const [left, low, right, high] = boxes.subarray(4 * i, 4 * i + 4);
      const position = { x: (left + right) / 2, y: (low + high) / 2 };
      return { shape: box(right - left, high - low), position, type: i < statics ? 'static' : 'dynamic' };
    }),
  );
  const places = new Uint32Array(2 * n);
  bodies.forEach((body, i) => (places[body.index] = i));
  return {
    write: (corners) => {
      for (let i = statics; i < n; ++i) {
        bodies[i].position = {
          x: (corners[4 * i] + corners[4 * i + 2]) / 2,
          y: (corners[4 * i + 1] + corners[4 * i + 3]) / 2,
        };
      }
    },
    find: () => made.step(0),
    pairs: () => {
      const four = made.contactPairs();
      return Array.from({ length: four.length / 2 }, (_, i) => places[four[2 * i]]);
    },
    end: () => made.release(),
  };
}
