import p2 from 'p2';
import { center, sides } from '../boxes.mjs';

/** The pair search of p2's world with a given broad phase. */
export function p2World({ n, statics, boxes }, broadphase) {
  const bodies = Array.from({ length: n }, (_, place) => {
    const { x, y } = center(boxes, place);
    const body = new p2.Body({ mass: place < statics ? 0 : 1, position: [x, y] });
    const [width, height] = sides(boxes, place);
    body.addShape(new p2.Box({ width, height }));
    body.place = place;
    body.aabbNeedsUpdate = false;
    body.aabb.lowerBound.set(boxes.subarray(4 * place, 4 * place + 2));
    body.aabb.upperBound.set(boxes.subarray(4 * place + 2, 4 * place + 4));
    return body;
  });
  const world = new p2.World({ broadphase });
  // Adding them one by one takes quadratic time, also in its sort; so they are added at once, sorted.
  world.bodies.push(...bodies.sort((a, b) => a.aabb.lowerBound[0] - b.aabb.lowerBound[0]));
  broadphase.setWorld(world);
  return {
    write: (corners) => {
      for (const { place, aabb } of bodies) {
        aabb.lowerBound[0] = corners[4 * place];
        aabb.lowerBound[1] = corners[4 * place + 1];
        aabb.upperBound[0] = corners[4 * place + 2];
        aabb.upperBound[1] = corners[4 * place + 3];
      }
    },
    find: () => broadphase.getCollisionPairs(world),
    pairs: () => broadphase.result.map(({ place }) => place),
    readAll: () => bodies.reduce((sum, { position }) => sum + position[0] + position[1], 0),
  };
}


export const sweep = (workload) => p2World(workload, new p2.SAPBroadphase());
