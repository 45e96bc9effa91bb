import RBush from 'rbush';
import { Sink } from '../sink.mjs';

/** rbush: bulk-loads the moving boxes in each frame, then searches for each. */
export function search({ n, statics, boxes }) {
  const items = Array.from({ length: n }, (_, place) => ({ minX: 0, minY: 0, maxX: 0, maxY: 0, place }));
  const put = (corners, from) => {
    for (let i = from; i < items.length; ++i) {
      const item = items[i];
      item.minX = corners[4 * i];
      item.minY = corners[4 * i + 1];
      item.maxX = corners[4 * i + 2];
      item.maxY = corners[4 * i + 3];
    }
  };
  put(boxes, 0);
  const fixed = new RBush().load(items.slice(0, statics));
  const moving = items.slice(statics);
  const sink = new Sink();
  return {
    write: (corners) => put(corners, statics),
    find: () => {
      sink.clear();
      const tree = new RBush().load(moving);
      for (const item of moving) {
        for (const other of tree.search(item)) {
          if (other.place < item.place) {
            sink.add(item.place, other.place);
          }
        }
        for (const other of fixed.search(item)) {
          sink.add(item.place, other.place);
        }
      }
    },
    pairs: () => sink.found(),
  };
}
