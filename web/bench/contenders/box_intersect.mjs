import boxIntersect from 'box-intersect';
import { Sink } from '../sink.mjs';

export function intersect({ n, statics, boxes }) {
  const arrays = Array.from({ length: n }, (_, i) => Array.from(boxes.subarray(4 * i, 4 * i + 4)));
  const [fixed, moving] = [arrays.slice(0, statics), arrays.slice(statics)];
  const sink = new Sink();
  return {
    write: (corners) => {
      for (let i = statics; i < n; ++i) {
        for (let k = 0; k < 4; ++k) {
          arrays[i][k] = corners[4 * i + k];
        }
      }
    },
    find: () => {
      sink.clear();
      boxIntersect(moving, (a, b) => sink.add(statics + a, statics + b));
      if (statics > 0) {
        boxIntersect(moving, fixed, (a, b) => sink.add(statics + a, b));
      }
    },
    pairs: () => sink.found(),
  };
}
