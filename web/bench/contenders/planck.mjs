import { BroadPhase } from 'planck';
import { overlap } from '../boxes.mjs';
import { Sink } from '../sink.mjs';

function aabbAt(boxes, i) {
  return {
    lowerBound: { x: boxes[4 * i], y: boxes[4 * i + 1] },
    upperBound: { x: boxes[4 * i + 2], y: boxes[4 * i + 3] },
  };
}

function planckPhase({ n, boxes }) {
  const phase = new BroadPhase();
  const proxies = Array.from({ length: n }, (_, i) => phase.createProxy(aabbAt(boxes, i), i));
  phase.updatePairs(() => {});
  const still = { x: 0, y: 0 };
  let aabbs = proxies.map((_, i) => aabbAt(boxes, i));
  return {
    phase,
    write: (corners) => (aabbs = proxies.map((_, i) => aabbAt(corners, i))),
    move: (from) => {
      for (let i = from; i < n; ++i) {
        phase.moveProxy(proxies[i], aabbs[i], still);
      }
    },
    at: (i) => aabbs[i],
  };
}

/** The tree of planck: moves all boxes, queries the tree with each, and compares the exact boxes. */
export function tree(workload) {
  const { n, statics } = workload;
  const { phase, write, move, at } = planckPhase(workload);
  const sink = new Sink();
  let boxes;
  return {
    write: (corners) => {
      boxes = corners;
      write(corners);
    },
    find: () => {
      sink.clear();
      move(statics);
      for (let i = statics; i < n; ++i) {
        phase.query(at(i), (proxy) => {
          const j = phase.getUserData(proxy);
          if ((j < i || j < statics) && overlap(boxes, i, j)) {
            sink.add(i, j);
          }
          return true;
        });
      }
    },
    pairs: () => sink.found(),
  };
}

/** The pair search of planck's world: pairs of proxies that left their fat boxes, including pairs of two statics. */
export function updatePairs(workload) {
  const { phase, write, move } = planckPhase(workload);
  const sink = new Sink();
  return {
    write,
    find: () => {
      sink.clear();
      move(workload.statics);
      phase.updatePairs((a, b) => sink.add(a, b));
    },
    pairs: () => sink.found(),
  };
}
