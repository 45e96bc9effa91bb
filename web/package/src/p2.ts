// For p2 0.7 (https://github.com/schteppe/p2.js). It is not imported: p2 passes its objects.
import type { BodyType } from './broad_phase.js';
import { BroadsideError } from './errors.js';
import { Follower } from './follower.js';

/** A box of p2. */
export interface P2Aabb {
  /** The smallest x and y. */
  readonly lowerBound: ArrayLike<number>;
  /** The largest x and y. */
  readonly upperBound: ArrayLike<number>;
}

/** The properties of a p2 body that are used. */
export interface P2Body {
  /** `p2.Body.DYNAMIC`, STATIC or KINEMATIC. */
  readonly type: number;
  /** `p2.Body.SLEEPING`, or another. */
  readonly sleepState: number;
  /** The position of its local origin. */
  readonly position: ArrayLike<number>;
  /** Its angle (unit: radian). */
  readonly angle: number;
  /** Its shapes. */
  readonly shapes: readonly unknown[];
  /** The radius of the circle around that position that encloses its shapes. */
  readonly boundingRadius: number;
  /** The box around its shapes. */
  readonly aabb: P2Aabb;
  /** Whether the box is out of date. */
  readonly aabbNeedsUpdate: boolean;
  /** Updates the box. */
  updateAABB(): void;
}

/** The properties of a p2 world that are used. */
export interface P2World<Body> {
  /** All its bodies. */
  readonly bodies: readonly Body[];
  /** Adds a listener of an event. */
  on(event: string, callback: (event: { body: Body }) => void): unknown;
  /** Removes a listener of an event. */
  off(event: string, callback: (event: { body: Body }) => void): unknown;
}

// Constants of p2: types and sleep states of `Body`, and bounding volume types of `Broadphase`.
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

/** Tells whether two boxes touch, as p2 decides it. */
function touch({ lowerBound: low, upperBound: high }: P2Aabb, other: P2Aabb): boolean {
  return (
    low[0]! <= other.upperBound[0]! &&
    other.lowerBound[0]! <= high[0]! &&
    low[1]! <= other.upperBound[1]! &&
    other.lowerBound[1]! <= high[1]!
  );
}

/** A body and its box in the broad phase. */
interface Followed {
  readonly body: P2Body;
  index: number;
  type: BodyType;
  /** As of the last look at a static body: x, y, angle, bounding radius, number of shapes; empty before the first. */
  seen: readonly number[];
}

/** Tells whether a static body may have another box than at the last look. */
function hasChanged({ body, seen }: Followed): boolean {
  return (
    body.position[0] !== seen[0] ||
    body.position[1] !== seen[1] ||
    body.angle !== seen[2] ||
    body.boundingRadius !== seen[3] ||
    body.shapes.length !== seen[4]
  );
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
 * With `AABB` it finds the pairs that p2's own `NaiveBroadphase` finds, in the same order, so that a world gives bit
 * for bit the same results. With `BOUNDING_CIRCLE` it finds those of them whose boxes touch as well; shapes whose boxes
 * are apart have no contact. Order: by the bodies of the world, later before earlier. Bodies may be added and removed,
 * moved by hand, put to sleep and given another type at any time. A body whose box contains NaN touches nothing.
 *
 * p2 says in each step that the box of each static body is out of date. It is updated only if the position, the angle,
 * the bounding radius, the number of shapes or the type has changed; otherwise call `setWorld` again.
 */
// p2's types are classes that refer to each other; `any` lets a world of p2 accept this class.
export class BroadsideBroadphase<Body extends P2Body = any, World extends P2World<Body> = any> {
  /** `p2.Broadphase.NAIVE`: p2 has numbers only for its own two, and the pairs are those of the naive one. */
  readonly type = 1;
  /** The latest pairs: [a, b, a, b, ...]. */
  readonly result: Body[] = [];
  /** The world that it belongs to, once it was added to one. */
  world!: World;
  /** `p2.Broadphase.AABB`, or BOUNDING_CIRCLE, which drops pairs whose circles do not touch. */
  boundingVolumeType: 1 | 2 = byBoxes;

  #follower = new Follower();
  #followed: Followed[] = []; // in the order of the bodies of the world
  #moving: Followed[] = []; // followed in each step
  #fixed: Followed[] = []; // static; followed after changes
  #orderChanged = false;

  readonly #added = ({ body }: { body: Body }): void => {
    const type = typeOf(body);
    const one: Followed = { body, index: this.#follower.add(type), type, seen: [] };
    this.#follower.place(one.index, this.#followed.length);
    this.#followed.push(one);
    this.#enter(one);
  };

  readonly #removed = ({ body }: { body: Body }): void => {
    const place = this.#followed.findIndex((followed) => followed.body === body);
    if (place >= 0) {
      const one = this.#followed[place]!;
      this.#leave(one);
      this.#follower.remove(one.index);
      this.#followed.splice(place, 1);
      this.#orderChanged = true;
    }
  };

  /** Leaves its world, if any, and adds the bodies of another. Called by p2. */
  setWorld(world: World): void {
    const before: World | undefined = this.world;
    before?.off('addBody', this.#added);
    before?.off('removeBody', this.#removed);
    this.#follower = new Follower();
    this.#followed = [];
    this.#moving = [];
    this.#fixed = [];
    this.world = world;
    for (const body of world.bodies) {
      this.#added({ body });
    }
    world.on('addBody', this.#added);
    world.on('removeBody', this.#removed);
  }

  /** Finds the pairs of bodies that may touch: [a, b, a, b, ...]. Called by p2 in each step. */
  getCollisionPairs(_world: World): Body[] {
    this.#follow();
    const followed = this.#followed;
    const result = this.result;
    result.length = 0;
    const pairs = this.#follower.findPairs(followed.length, 'higher first');
    const byBoxesAlone = this.boundingVolumeType === byBoxes;
    for (let i = 0; i < pairs.length; i += 2) {
      const a = followed[pairs[i]!]!.body as Body;
      const b = followed[pairs[i + 1]!]!.body as Body;
      if (this.canCollide(a, b) && (byBoxesAlone || this.boundingVolumeCheck(a, b))) {
        result.push(a, b);
      }
    }
    return result;
  }

  /**
   * Adds the bodies whose boxes touch `aabb` (all bodies by default) to `result`, in the order of the world. Called by
   * p2 for rays.
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

  /** Tells whether two bodies may collide, by their types and sleep states. */
  canCollide(a: Body, b: Body): boolean {
    if (a.type !== dynamicType && b.type !== dynamicType) {
      return false;
    }
    const aRests = a.sleepState === sleeping;
    const bRests = b.sleepState === sleeping;
    return !((aRests && (bRests || b.type === staticType)) || (bRests && a.type === staticType));
  }

  /** Tells whether the bounding volumes of two bodies touch: their boxes or their circles. */
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

  /** Tells whether the bounding circles of two bodies touch, as p2 decides it. */
  boundingRadiusCheck(a: Body, b: Body): boolean {
    // p2 stores the difference in an array of its own, of floats unless `P2_ARRAY_TYPE` is Array; so are its boxes.
    const stored = Array.isArray(a.aabb.lowerBound) ? Number : Math.fround;
    const x = stored(a.position[0]! - b.position[0]!);
    const y = stored(a.position[1]! - b.position[1]!);
    const r = a.boundingRadius + b.boundingRadius;
    return x * x + y * y <= r * r;
  }

  #enter(one: Followed): void {
    (one.type === 'static' ? this.#fixed : this.#moving).push(one);
  }

  #leave(one: Followed): void {
    const isOther = (other: Followed): boolean => other !== one;
    this.#moving = this.#moving.filter(isOther);
    this.#fixed = this.#fixed.filter(isOther);
  }

  #follow(): void {
    const retyped = this.#moving.filter(({ body, type }) => typeOf(body) !== type);
    const changed: Followed[] = [];
    for (const one of this.#fixed) {
      if (one.body.type !== staticType) {
        retyped.push(one);
      } else if (hasChanged(one)) {
        changed.push(one);
      }
    }
    for (const one of retyped) {
      this.#leave(one);
      this.#follower.remove(one.index);
    }
    let fixed = this.#fixed.length; // of these, those that changed are listed
    for (const one of retyped) {
      one.type = typeOf(one.body);
      one.index = this.#follower.add(one.type);
      one.seen = [];
      this.#enter(one);
      this.#orderChanged = true;
    }
    if (this.#orderChanged) {
      this.#followed.forEach(({ index }, place) => this.#follower.place(index, place));
      this.#orderChanged = false;
    }
    changed.forEach((one) => this.#followStatic(one));
    // `updateAABB` may add bodies.
    for (let moving = 0; moving < this.#moving.length || fixed < this.#fixed.length; ) {
      if (moving < this.#moving.length) {
        this.#followBox(this.#moving[moving++]!);
      } else {
        this.#followStatic(this.#fixed[fixed++]!);
      }
    }
  }

  #followStatic(one: Followed): void {
    const { position, angle, boundingRadius, shapes } = one.body;
    one.seen = [position[0]!, position[1]!, angle, boundingRadius, shapes.length];
    this.#followBox(one);
  }

  #followBox({ body, index }: Followed): void {
    if (body.aabbNeedsUpdate) {
      body.updateAABB();
    }
    const { lowerBound: low, upperBound: high } = body.aabb;
    this.#follower.follow(index, low[0]!, low[1]!, high[0]!, high[1]!);
  }
}
