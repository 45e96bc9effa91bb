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

/** Options of `BroadsideBroadphase`. */
export interface P2Options {
  /** Whether each step looks for static bodies that have changed; by default it does. */
  readonly watchStatics?: boolean;
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
}

/** Static bodies, and what decided their boxes when they were last followed. */
class Statics {
  readonly #all: Followed[] = [];
  readonly #bodies: P2Body[] = []; // of the same places
  #seen = new Float64Array(0); // [place][5]: x, y, angle, bounding radius, number of shapes; NaN before the first

  add(one: Followed): void {
    const size = 5 * this.#all.push(one);
    this.#bodies.push(one.body);
    if (size > this.#seen.length) {
      const seen = new Float64Array(2 * size);
      seen.set(this.#seen);
      this.#seen = seen;
    }
    this.#seen.fill(NaN, size - 5, size);
  }

  remove(one: Followed): void {
    const place = this.#all.indexOf(one);
    const last = this.#all.length - 1;
    this.#seen.copyWithin(5 * place, 5 * last, 5 * last + 5);
    this.#bodies[place] = this.#bodies[last]!;
    this.#bodies.pop();
    this.#all[place] = this.#all[last]!;
    this.#all.pop();
  }

  /** Adds to `changed` those that may have another box or type, and takes what it sees as followed. */
  look(changed: Set<Followed>): void {
    const bodies = this.#bodies;
    const seen = this.#seen;
    for (let place = 0, at = 0; place < bodies.length; ++place, at += 5) {
      const body = bodies[place]!;
      const position = body.position;
      if (
        position[0] !== seen[at] ||
        position[1] !== seen[at + 1] ||
        body.angle !== seen[at + 2] ||
        body.boundingRadius !== seen[at + 3] ||
        body.shapes.length !== seen[at + 4] ||
        body.type !== staticType
      ) {
        seen[at] = position[0]!;
        seen[at + 1] = position[1]!;
        seen[at + 2] = body.angle;
        seen[at + 3] = body.boundingRadius;
        seen[at + 4] = body.shapes.length;
        changed.add(this.#all[place]!);
      }
    }
  }
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
 * the bounding radius, the number of shapes or the type has changed; after another change call `refresh`. To look at
 * them takes most of the time of a search where few bodies move: `new BroadsideBroadphase({ watchStatics: false })`
 * does not, and a static body that you move, turn, reshape or give another type is followed once you call `refresh`.
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

  readonly #watchStatics: boolean;
  #follower = new Follower();
  #followed: Followed[] = []; // in the order of the bodies of the world
  #byBody = new Map<P2Body, Followed>();
  #moving: Followed[] = []; // followed in each step
  #statics = new Statics();
  #changed = new Set<Followed>(); // static bodies to be followed in the next step
  #orderChanged = false;

  constructor({ watchStatics = true }: P2Options = {}) {
    this.#watchStatics = watchStatics;
  }

  readonly #added = ({ body }: { body: Body }): void => {
    const type = typeOf(body);
    const one: Followed = { body, index: this.#follower.add(type), type };
    this.#follower.place(one.index, this.#followed.length);
    this.#followed.push(one);
    this.#byBody.set(body, one);
    this.#enter(one);
  };

  readonly #removed = ({ body }: { body: Body }): void => {
    const one = this.#byBody.get(body);
    if (one !== undefined) {
      this.#leave(one);
      this.#byBody.delete(body);
      this.#followed.splice(this.#followed.indexOf(one), 1);
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
    this.#byBody = new Map();
    this.#moving = [];
    this.#statics = new Statics();
    this.#changed = new Set();
    this.world = world;
    for (const body of world.bodies) {
      this.#added({ body });
    }
    world.on('addBody', this.#added);
    world.on('removeBody', this.#removed);
  }

  /** Follows a static body that has changed, in the next step. A body that is not in the world has no effect. */
  refresh(body: Body): void {
    const one = this.#byBody.get(body);
    if (one?.type === 'static') {
      this.#changed.add(one);
    }
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
    if (one.type === 'static') {
      this.#statics.add(one);
      this.#changed.add(one);
    } else {
      this.#moving.push(one);
    }
  }

  #leave(one: Followed): void {
    if (one.type === 'static') {
      this.#statics.remove(one);
      this.#changed.delete(one);
    } else {
      this.#moving = this.#moving.filter((other) => other !== one);
    }
    this.#follower.remove(one.index);
  }

  #follow(): void {
    if (this.#watchStatics) {
      this.#statics.look(this.#changed);
    }
    const isRetyped = ({ body, type }: Followed): boolean => typeOf(body) !== type;
    const retyped = [...this.#moving.filter(isRetyped), ...[...this.#changed].filter(isRetyped)];
    for (const one of retyped) {
      this.#leave(one);
      one.type = typeOf(one.body);
      one.index = this.#follower.add(one.type);
      this.#enter(one);
      this.#orderChanged = true;
    }
    if (this.#orderChanged) {
      this.#followed.forEach(({ index }, place) => this.#follower.place(index, place));
      this.#orderChanged = false;
    }
    // `updateAABB` may add bodies.
    for (let i = 0; i < this.#moving.length || this.#changed.size > 0; ) {
      if (i < this.#moving.length) {
        this.#followBox(this.#moving[i++]!);
      } else {
        for (const one of this.#changed) {
          this.#followBox(one);
          this.#changed.delete(one);
        }
      }
    }
  }

  #followBox({ body, index }: Followed): void {
    if (body.aabbNeedsUpdate) {
      body.updateAABB();
    }
    const { lowerBound: low, upperBound: high } = body.aabb;
    this.#follower.follow(index, low[0]!, low[1]!, high[0]!, high[1]!);
  }
}
