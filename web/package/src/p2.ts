// For p2 0.7 (https://github.com/schteppe/p2.js), which is not imported: it hands over all that is needed.
import type { BodyType } from './broad_phase.js';
import { BroadsideError } from './errors.js';
import { Follower } from './follower.js';

/** A box of p2. */
export interface P2Aabb {
  /** The least x and y. */
  readonly lowerBound: ArrayLike<number>;
  /** The greatest x and y. */
  readonly upperBound: ArrayLike<number>;
}

/** What is asked of a body of p2. */
export interface P2Body {
  /** `p2.Body.DYNAMIC`, STATIC or KINEMATIC. */
  readonly type: number;
  /** `p2.Body.SLEEPING`, or another. */
  readonly sleepState: number;
  /** Of its frame's origin. */
  readonly position: ArrayLike<number>;
  /** Of the circle round that position that holds its shapes. */
  readonly boundingRadius: number;
  /** The box that holds its shapes. */
  readonly aabb: P2Aabb;
  /** The box is not that of where it is now. */
  readonly aabbNeedsUpdate: boolean;
  /** Brings the box up to date. */
  updateAABB(): void;
}

/** What is asked of a world of p2. */
export interface P2World<Body> {
  /** All that it holds. */
  readonly bodies: readonly Body[];
  /** Begins to tell of an event. */
  on(event: string, told: (event: { body: Body }) => void): unknown;
  /** Ends to tell of it. */
  off(event: string, told: (event: { body: Body }) => void): unknown;
}

// Numbers of p2: of the types and the sleep of `Body`, and of what a `Broadphase` looks at.
const dynamicType = 1;
const staticType = 2;
const kinematicType = 4;
const sleeping = 2;
const byBoxes = 1;
const byCircles = 2;

const everywhere: P2Aabb = { lowerBound: [-Infinity, -Infinity], upperBound: [Infinity, Infinity] };

function typeOf(body: P2Body): BodyType {
  if (body.type === staticType) {
    return 'static';
  }
  return body.type === kinematicType ? 'kinematic' : 'dynamic';
}

/** Tells whether two boxes touch, as p2 does. */
function touch({ lowerBound: low, upperBound: high }: P2Aabb, other: P2Aabb): boolean {
  return (
    low[0]! <= other.upperBound[0]! &&
    other.lowerBound[0]! <= high[0]! &&
    low[1]! <= other.upperBound[1]! &&
    other.lowerBound[1]! <= high[1]!
  );
}

/** What the broad phase knows of a body. */
interface Followed {
  readonly body: P2Body;
  index: number;
  type: BodyType;
}

/**
 * A broad phase for p2, in place of its `SAPBroadphase`:
 *
 * ```ts
 * import { ready } from 'broadside';
 * import { BroadsideBroadphase } from 'broadside/p2';
 * await ready;
 * const world = new p2.World({ broadphase: new BroadsideBroadphase() });
 * ```
 *
 * It finds the pairs that p2's own `NaiveBroadphase` finds, in the same order: a world goes on bit for bit as with
 * that one. Order: by the bodies of the world, later before earlier. Bodies may be added and removed, moved by hand,
 * put to sleep and given another type at any time. A body whose box holds NaN touches nothing.
 */
// p2's own types are classes that know each other; `any` lets a world of theirs take this one.
export class BroadsideBroadphase<Body extends P2Body = any, World extends P2World<Body> = any> {
  /** `p2.Broadphase.NAIVE`: p2 has a number for its own two alone, and the pairs are those of that one. */
  readonly type = 1;
  /** The pairs found last: [a, b, a, b, ...]. */
  readonly result: Body[] = [];
  /** The world that it is in, once it is in one. */
  world!: World;
  /** `p2.Broadphase.AABB`, or BOUNDING_CIRCLE, which leaves out pairs whose circles do not touch. */
  boundingVolumeType: 1 | 2 = byBoxes;

  #follower = new Follower();
  #followed: Followed[] = []; // in the order of the world's bodies

  readonly #added = ({ body }: { body: Body }): void => {
    const type = typeOf(body);
    this.#followed.push({ body, index: this.#follower.add(type), type });
  };

  readonly #removed = ({ body }: { body: Body }): void => {
    const place = this.#followed.findIndex((followed) => followed.body === body);
    if (place >= 0) {
      this.#follower.remove(this.#followed[place]!.index);
      this.#followed.splice(place, 1);
    }
  };

  /** Leaves the world it was in, if any, and takes up the bodies of another. p2 calls it. */
  setWorld(world: World): void {
    const before: World | undefined = this.world;
    before?.off('addBody', this.#added);
    before?.off('removeBody', this.#removed);
    this.#follower = new Follower();
    this.#followed = [];
    this.world = world;
    for (const body of world.bodies) {
      this.#added({ body });
    }
    world.on('addBody', this.#added);
    world.on('removeBody', this.#removed);
  }

  /** Finds the pairs of bodies that may touch: [a, b, a, b, ...]. p2 calls it in each step. */
  getCollisionPairs(_world: World): Body[] {
    this.#follow();
    const followed = this.#followed;
    const count = followed.length;
    const result = this.result;
    result.length = 0;
    const keys = this.#follower.findPairs(count, 'higher first');
    const byBoxesAlone = this.boundingVolumeType === byBoxes;
    for (let i = 0; i < keys.length; ++i) {
      const higher = Math.floor(keys[i]! / count);
      const a = followed[higher]!.body as Body;
      const b = followed[keys[i]! - higher * count]!.body as Body;
      if (this.canCollide(a, b) && (byBoxesAlone || this.boundingVolumeCheck(a, b))) {
        result.push(a, b);
      }
    }
    return result;
  }

  /**
   * Adds the bodies whose boxes touch `aabb`, all if not told, to `result`, in the order of the world's. p2 calls it
   * for rays.
   */
  aabbQuery(_world?: World, aabb: P2Aabb = everywhere, result: Body[] = []): Body[] {
    this.#follow();
    const { lowerBound: low, upperBound: high } = aabb;
    for (const place of this.#follower.queryArea(low[0]!, low[1]!, high[0]!, high[1]!)) {
      const body = this.#followed[place]!.body as Body;
      if (touch(body.aabb, aabb)) {
        result.push(body);
      }
    }
    return result;
  }

  /** Tells whether two bodies may collide at all, by their types and by whether they sleep. */
  canCollide(a: Body, b: Body): boolean {
    if (a.type !== dynamicType && b.type !== dynamicType) {
      return false;
    }
    const aRests = a.sleepState === sleeping;
    const bRests = b.sleepState === sleeping;
    return !((aRests && (bRests || b.type === staticType)) || (bRests && a.type === staticType));
  }

  /** Tells whether the boxes of two bodies, or their circles, touch. */
  boundingVolumeCheck(a: Body, b: Body): boolean {
    if (this.boundingVolumeType === byBoxes) {
      return this.aabbCheck(a, b);
    }
    if (this.boundingVolumeType === byCircles) {
      return this.boundingRadiusCheck(a, b);
    }
    throw new BroadsideError('invalid_argument', `p2 has no bounding volume type ${this.boundingVolumeType}`);
  }

  /** Tells whether the boxes of two bodies touch. */
  aabbCheck(a: Body, b: Body): boolean {
    return touch(a.aabb, b.aabb);
  }

  /** Tells whether the circles round two bodies touch. */
  boundingRadiusCheck(a: Body, b: Body): boolean {
    const x = a.position[0]! - b.position[0]!;
    const y = a.position[1]! - b.position[1]!;
    return x * x + y * y <= (a.boundingRadius + b.boundingRadius) ** 2;
  }

  #follow(): void {
    const followed = this.#followed;
    for (let place = 0; place < followed.length; ++place) {
      const one = followed[place]!;
      const { body } = one;
      const type = typeOf(body);
      if (type !== one.type) {
        this.#follower.remove(one.index);
        one.index = this.#follower.add(type);
        one.type = type;
      }
      if (body.aabbNeedsUpdate) {
        body.updateAABB();
      }
      const { lowerBound: low, upperBound: high } = body.aabb;
      this.#follower.follow(one.index, place, low[0]!, low[1]!, high[0]!, high[1]!);
    }
  }
}
