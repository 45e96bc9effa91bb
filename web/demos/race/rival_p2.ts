import type { Body } from 'p2';
import type { Circles } from './circles';
import type { Rival } from './rival';

/** p2's sweep and prune; its tests can be counted: it calls a function for each pair that overlaps along x. */
export async function rivalP2(circles: Circles): Promise<Rival> {
  const { default: p2 } = await import('p2');
  let seen: (a: Body, b: Body) => void;
  class Watched extends p2.SAPBroadphase {
    override boundingVolumeCheck(a: Body, b: Body): boolean {
      seen(a, b);
      return super.boundingVolumeCheck(a, b);
    }
  }
  const world = new p2.World({ broadphase: new p2.SAPBroadphase(p2.Broadphase.SAP) });
  const watched = new Watched(p2.Broadphase.SAP);
  watched.setWorld(world);
  const placeOf = new Map<Body, number>();
  const bodies = Array.from(circles.radii, (radius, i) => {
    const body = new p2.Body({ mass: 1 });
    body.addShape(new p2.Circle({ radius }));
    world.addBody(body);
    placeOf.set(body, i);
    return body;
  });
  let touching = 0;
  return {
    move(positions) {
      circles.moveTo(positions);
      bodies.forEach((body, i) => {
        body.position[0] = circles.x(i);
        body.position[1] = circles.y(i);
        body.updateAABB();
      });
    },
    find() {
      const pairs = world.broadphase.getCollisionPairs(world);
      touching = 0;
      for (let p = 0; p < pairs.length; p += 2) {
        touching += circles.touch(placeOf.get(pairs[p]!)!, placeOf.get(pairs[p + 1]!)!) ? 1 : 0;
      }
    },
    touching: () => touching,
    tests() {
      let tests = 0;
      seen = () => ++tests;
      watched.getCollisionPairs(world);
      return tests;
    },
    comparedWith(circle) {
      const mine = bodies[circle]!;
      const others: number[] = [];
      seen = (a, b) => {
        if (a === mine || b === mine) {
          others.push(placeOf.get(a === mine ? b : a)!);
        }
      };
      watched.getCollisionPairs(world);
      return others;
    },
    release() {},
  };
}
