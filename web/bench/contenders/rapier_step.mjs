import { center, sides } from '../boxes.mjs';

/**
 * A step of rapier2d with sensors moved by the caller, which is its cheapest step. It moves such bodies after it has
 * found their pairs: these are the pairs of the frame before.
 */
export function stepOf(RAPIER) {
  return ({ n, statics, boxes }) => {
    const world = new RAPIER.World({ x: 0, y: 0 });
    const bodies = [];
    const colliders = [];
    const places = new Map();
    for (let i = 0; i < n; ++i) {
      const { x, y } = center(boxes, i);
      const kind = i < statics ? RAPIER.RigidBodyDesc.fixed() : RAPIER.RigidBodyDesc.kinematicPositionBased();
      const body = world.createRigidBody(kind.setTranslation(x, y));
      const [width, height] = sides(boxes, i);
      const shape = RAPIER.ColliderDesc.cuboid(width / 2, height / 2).setSensor(true);
      const collider = world.createCollider(shape.setActiveCollisionTypes(RAPIER.ActiveCollisionTypes.ALL), body);
      bodies.push(body);
      colliders.push(collider);
      places.set(collider.handle, i);
    }
    return {
      write: (corners) => {
        for (let i = statics; i < n; ++i) {
          bodies[i].setNextKinematicTranslation(center(corners, i));
        }
      },
      find: () => world.step(),
      pairs: () => {
        const found = [];
        for (let i = statics; i < n; ++i) {
          world.intersectionPairsWith(colliders[i], (other) => {
            const j = places.get(other.handle);
            if (j < i) {
              found.push(i, j);
            }
          });
        }
        return found;
      },
      readAll: () => {
        let sum = 0;
        for (const body of bodies) {
          const { x, y } = body.translation();
          sum += x + y;
        }
        return sum;
      },
      end: () => world.free(),
    };
  };
}
