import { System } from 'check2d';
import { overlap, sides } from '../boxes.mjs';
import { contenderOn } from '../sink.mjs';

/** check2d: moves the bodies, then queries the potential contacts of each. */
export function potentials({ n, statics, boxes }) {
  const system = new System();
  const bodies = Array.from({ length: n }, (_, i) => {
    const { x, y } = { x: boxes[4 * i], y: boxes[4 * i + 1] };
    const body = system.createBox({ x, y }, ...sides(boxes, i), { isStatic: i < statics });
    body.place = i;
    return body;
  });
  const contender = contenderOn(boxes, (corners, sink) => {
    for (let i = statics; i < n; ++i) {
      bodies[i].setPosition(corners[4 * i], corners[4 * i + 1]);
    }
    for (let i = statics; i < n; ++i) {
      for (const { place } of system.getPotentials(bodies[i])) {
        if ((place < i || place < statics) && overlap(corners, i, place)) {
          sink.add(i, place);
        }
      }
    }
  });
  return { ...contender, readAll: () => bodies.reduce((sum, { x, y }) => sum + x + y, 0) };
}
