import KDBush from 'kdbush';
import { contenderOn } from '../sink.mjs';

/**
 * kdbush: a tree of the moving boxes by their lower left corners, rebuilt in each frame, and one of the static boxes,
 * built once. It knows only points, so each range is longer on two sides, by the largest box, and the boxes found are
 * compared: well suited to boxes of one size.
 */
export function range({ n, statics, boxes }) {
  const build = (corners, from, to) => {
    const tree = new KDBush(to - from, 64, Float32Array);
    let [width, height] = [0, 0];
    for (let i = 4 * from; i < 4 * to; i += 4) {
      tree.add(corners[i], corners[i + 1]);
      width = Math.max(width, corners[i + 2] - corners[i]);
      height = Math.max(height, corners[i + 3] - corners[i + 1]);
    }
    tree.finish();
    return { tree, width, height };
  };
  const fixed = statics > 0 ? build(boxes, 0, statics) : undefined;
  return contenderOn(boxes, (corners, sink) => {
    const moving = build(corners, statics, n);
    const search = ({ tree, width, height }, first, i, end) => {
      const [left, low, right, high] = corners.subarray(4 * i, 4 * i + 4);
      for (const found of tree.range(left - width, low - height, right, high)) {
        const j = first + found;
        if (j < end && corners[4 * j + 2] >= left && corners[4 * j + 3] >= low) {
          sink.add(i, j);
        }
      }
    };
    for (let i = statics; i < n; ++i) {
      search(moving, statics, i, i);
      if (fixed !== undefined) {
        search(fixed, 0, i, statics);
      }
    }
  });
}
