import Flatbush from 'flatbush';
import { contenderOn } from '../sink.mjs';

/** flatbush: a tree of the moving boxes, rebuilt in each frame, and one of the static boxes, built once. */
export function search({ n, statics, boxes }) {
  const build = (corners, from, to) => {
    const tree = new Flatbush(to - from, 16, Float32Array);
    for (let i = 4 * from; i < 4 * to; i += 4) {
      tree.add(corners[i], corners[i + 1], corners[i + 2], corners[i + 3]);
    }
    tree.finish();
    return tree;
  };
  const fixed = statics > 0 ? build(boxes, 0, statics) : undefined;
  return contenderOn(boxes, (corners, sink) => {
    const tree = build(corners, statics, n);
    for (let i = statics; i < n; ++i) {
      const at = 4 * i;
      const box = [corners[at], corners[at + 1], corners[at + 2], corners[at + 3]];
      for (const j of tree.search(...box)) {
        if (j + statics < i) {
          sink.add(i, j + statics);
        }
      }
      for (const j of fixed?.search(...box) ?? []) {
        sink.add(i, j);
      }
    }
  });
}
