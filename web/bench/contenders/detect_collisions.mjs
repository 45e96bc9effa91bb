import { System } from 'detect-collisions';
import { sides } from '../boxes.mjs';
import { contenderOn } from '../sink.mjs';

/**
 * detect-collisions as its README advises: bodies that never move are static, `padding` saves reinserts ("Use padding:
 * number and set to nonzero value to reduce costly reinserts on attributes' change"), `setPosition` updates the tree, and
 * `checkAll` calls back for each body and each body that it touches. `getPotentials` is deprecated there: "slower to use
 * than checkOne() or checkAll()".
 */
export function checkAll({ n, statics, boxes }) {
  const system = new System();
  const bodies = Array.from({ length: n }, (_, i) => {
    const position = { x: boxes[4 * i], y: boxes[4 * i + 1] };
    const isStatic = i < statics;
    const body = system.createBox(position, ...sides(boxes, i), { isStatic, padding: isStatic ? 0 : 2 });
    body.place = i;
    return body;
  });
  const contender = contenderOn(boxes, (corners, sink) => {
    for (let i = statics; i < n; ++i) {
      bodies[i].setPosition(corners[4 * i], corners[4 * i + 1]);
    }
    system.checkAll(({ a, b }) => {
      // Two moving bodies are found twice. A result of true would end the search.
      if (b.place < a.place) {
        sink.add(a.place, b.place);
      }
      return false;
    });
  });
  return { ...contender, readAll: () => bodies.reduce((sum, { x, y }) => sum + x + y, 0) };
}
