// Libraries from npm, each used in the fastest way to find all pairs, without a narrow phase if possible.
import * as RAPIER from '@dimforge/rapier2d-compat';
import boxIntersect from 'box-intersect';
import { System } from 'check2d';
import Flatbush from 'flatbush';
import Matter from 'matter-js';
import p2 from 'p2';
import { BroadPhase } from 'planck';
import RBush from 'rbush';
import { contenderOn, Sink } from './sink.mjs';
import { overlap } from './workloads.mjs';

export const ready = RAPIER.init();

const center = (boxes, i) => ({ x: (boxes[4 * i] + boxes[4 * i + 2]) / 2, y: (boxes[4 * i + 1] + boxes[4 * i + 3]) / 2 });
const sides = (boxes, i) => [boxes[4 * i + 2] - boxes[4 * i], boxes[4 * i + 3] - boxes[4 * i + 1]];

/** The pair search of p2's world with a given broad phase. */
function p2World({ n, statics, boxes }, broadphase) {
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
  };
}

export const p2Sweep = (workload) => p2World(workload, new p2.SAPBroadphase());

export const p2With = (makeBroadphase) => (workload) => p2World(workload, makeBroadphase());

/** The detector of matter-js; its comparison of shapes is replaced by recording the pair. */
export function matterDetector({ n, statics, boxes }) {
  const sink = new Sink();
  const detector = Matter.Detector.create();
  const { collides } = Matter.Collision;
  const bodies = Array.from({ length: n }, (_, place) => {
    const { x, y } = center(boxes, place);
    const body = Matter.Bodies.rectangle(x, y, ...sides(boxes, place), { isStatic: place < statics });
    body.place = place;
    return body;
  });
  Matter.Detector.setBodies(detector, bodies);
  return {
    write: (corners) => {
      for (const { place, bounds } of bodies) {
        bounds.min.x = corners[4 * place];
        bounds.min.y = corners[4 * place + 1];
        bounds.max.x = corners[4 * place + 2];
        bounds.max.y = corners[4 * place + 3];
      }
    },
    find: () => {
      sink.clear();
      Matter.Collision.collides = (a, b) => {
        sink.add(a.place, b.place);
        return null;
      };
      Matter.Detector.collisions(detector);
      Matter.Collision.collides = collides;
    },
    pairs: () => sink.found(),
  };
}

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
export function planckTree(workload) {
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
export function planckUpdatePairs(workload) {
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

/** A step of rapier2d with sensors moved by the caller, which is its cheapest step. */
export function rapierStep({ n, statics, boxes }) {
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
    end: () => world.free(),
  };
}

/** rbush: bulk-loads the moving boxes in each frame, then searches for each. */
export function rbush({ n, statics, boxes }) {
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

/** flatbush: a tree of the moving boxes, rebuilt in each frame, and one of the static boxes, built once. */
export function flatbush({ n, statics, boxes }) {
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

export function boxIntersection({ n, statics, boxes }) {
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

/** check2d: moves the bodies, then queries the potential contacts of each. */
export function check2d({ n, statics, boxes }) {
  const system = new System();
  const bodies = Array.from({ length: n }, (_, i) => {
    const { x, y } = { x: boxes[4 * i], y: boxes[4 * i + 1] };
    const body = system.createBox({ x, y }, ...sides(boxes, i), { isStatic: i < statics });
    body.place = i;
    return body;
  });
  return contenderOn(boxes, (corners, sink) => {
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
}
