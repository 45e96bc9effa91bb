// For matter-js 0.20 (https://github.com/liabru/matter-js). It is not imported: the caller passes it.
import type { BodyType } from './broad_phase.js';
import { Follower } from './follower.js';
import type { Point } from './geometry.js';

/** A box of matter-js. */
export interface MatterBounds {
  /** The smallest x and y. */
  readonly min: Point;
  /** The largest x and y. */
  readonly max: Point;
}

/** The properties of a matter-js body that are used. */
export interface MatterBody {
  /** The box around its parts. */
  readonly bounds: MatterBounds;
  /** Whether it never moves. */
  readonly isStatic: boolean;
  /** Whether it rests until something touches it. */
  readonly isSleeping: boolean;
  /** Argument of `Detector.canCollide`. */
  readonly collisionFilter: unknown;
  /** The body itself, then its parts if there are several. */
  readonly parts: readonly MatterBody[];
}

/** The properties of a matter-js detector that are used. */
export interface MatterDetector {
  /** The bodies that it tests. */
  bodies: MatterBody[];
  /** The latest collisions. */
  collisions: unknown[];
  /** Argument of `Collision.collides`. */
  pairs: unknown;
}

/** The functions of matter-js that are used: `import Matter from 'matter-js'`. */
export interface MatterModule {
  // Methods, and `any`, so that the types of @types/matter-js fit.
  /** Its broad phase. */
  readonly Detector: {
    /** Finds the collisions of a detector. */
    collisions(detector: any): any[];
    /** Tells whether two filters let their bodies collide. */
    canCollide(a: any, b: any): boolean;
  };
  /** Its narrow phase. */
  readonly Collision: {
    /** Returns how two bodies collide, or null. */
    collides(a: any, b: any, pairs?: any): unknown;
  };
}

/** A body and its box in the broad phase. */
interface Followed {
  readonly body: MatterBody;
  index: number;
  type: BodyType;
}

// For matter-js, sleeping bodies are like static ones; but they wake up, so they are not added as static.
function typeOf(body: MatterBody): BodyType {
  if (body.isStatic) {
    return 'static';
  }
  return body.isSleeping ? 'kinematic' : 'dynamic';
}

function touch(a: MatterBounds, b: MatterBounds): boolean {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
}

function byLeftSide(a: MatterBody, b: MatterBody): number {
  return a.bounds.min.x - b.bounds.min.x;
}

// With more, the sweep takes longer than the broad phase and the sort of its pairs: 8,000 boxes that fill a square have 45.
const mostTests = 128; // per body

/**
 * Finds the pairs of bodies as matter-js does it: each is compared with those that begin before it ends. Their boxes are
 * first copied to one array, in that order.
 */
class Sweep {
  #boxes = new Float64Array(0); // [bodies][4]: min x, min y, max x, max y
  #resting = new Uint8Array(0); // [bodies]
  #pairs = new Uint32Array(64);

  /**
   * Sorts the bodies, and finds the places of each pair, in the order of matter-js. Valid until the next call. Undefined
   * if too many bodies stand above each other, and if a box is not one: if it contains NaN, or ends before it begins.
   */
  findPairs(bodies: MatterBody[]): Uint32Array | undefined {
    bodies.sort(byLeftSide);
    const count = bodies.length;
    if (this.#resting.length < count) {
      this.#boxes = new Float64Array(8 * count);
      this.#resting = new Uint8Array(2 * count);
    }
    const boxes = this.#boxes;
    const resting = this.#resting;
    for (let i = 0; i < count; ++i) {
      const body = bodies[i]!;
      const { min, max } = body.bounds;
      if (!(min.x <= max.x && min.y <= max.y)) {
        return undefined;
      }
      boxes[4 * i] = min.x;
      boxes[4 * i + 1] = min.y;
      boxes[4 * i + 2] = max.x;
      boxes[4 * i + 3] = max.y;
      resting[i] = body.isStatic || body.isSleeping ? 1 : 0;
    }
    let pairs = this.#pairs;
    let size = 0;
    let tests = 0;
    for (let i = 0; i < count; ++i) {
      const low = boxes[4 * i + 1]!;
      const right = boxes[4 * i + 2]!;
      const high = boxes[4 * i + 3]!;
      let j = i + 1;
      for (; j < count && boxes[4 * j]! <= right; ++j) {
        const isNear = boxes[4 * j + 1]! <= high && low <= boxes[4 * j + 3]!;
        // A body may be listed twice.
        if (isNear && (resting[i]! & resting[j]!) === 0 && bodies[i] !== bodies[j]) {
          if (size === pairs.length) {
            pairs = new Uint32Array(2 * size);
            pairs.set(this.#pairs);
            this.#pairs = pairs;
          }
          pairs[size++] = i;
          pairs[size++] = j;
        }
      }
      tests += j - i;
      if (tests > mostTests * count) {
        return undefined;
      }
    }
    return pairs.subarray(0, size);
  }
}

/** Finds the collisions of one detector. */
class Watch {
  readonly #follower = new Follower();
  readonly #sweep = new Sweep();
  #bodies: readonly MatterBody[] = []; // the detector's bodies when they were followed
  #followed: Followed[] = []; // sorted from left to right

  collisions(matter: MatterModule, detector: MatterDetector): unknown[] {
    const { collisions, pairs: known } = detector;
    const { Collision, Detector } = matter;
    let bodies = detector.bodies;
    let places = this.#sweep.findPairs(bodies);
    if (places === undefined) {
      bodies = this.#follow(bodies);
      places = this.#follower.findPairs(bodies.length, 'lower first');
    }
    let count = 0;
    for (let k = 0; k < places.length; k += 2) {
      const a = bodies[places[k]!]!;
      const b = bodies[places[k + 1]!]!;
      if (!Detector.canCollide(a.collisionFilter, b.collisionFilter)) {
        continue;
      }
      if (a.parts.length === 1 && b.parts.length === 1) {
        const collision = Collision.collides(a, b, known);
        if (collision) {
          collisions[count++] = collision;
        }
        continue;
      }
      // The first part of a compound body is the body itself: its hull.
      for (let i = a.parts.length > 1 ? 1 : 0; i < a.parts.length; ++i) {
        for (let j = b.parts.length > 1 ? 1 : 0; j < b.parts.length; ++j) {
          const partA = a.parts[i]!;
          const partB = b.parts[j]!;
          const collision = touch(partA.bounds, partB.bounds) && Collision.collides(partA, partB, known);
          if (collision) {
            collisions[count++] = collision;
          }
        }
      }
    }
    collisions.length = count;
    return collisions;
  }

  /** Brings the broad phase up to date. Returns the bodies, each once, in the order of their places. */
  #follow(bodies: MatterBody[]): MatterBody[] {
    if (bodies !== this.#bodies || bodies.length !== this.#followed.length) {
      this.#exchange(bodies);
    }
    // The order of matter-js, which solves contacts in the order in which it finds them, and sorts the bodies, too.
    this.#followed.sort((a, b) => byLeftSide(a.body, b.body));
    const isEach = bodies.length === this.#followed.length;
    this.#followed.forEach((one, place) => {
      if (isEach) {
        bodies[place] = one.body;
      }
      const type = typeOf(one.body);
      if (type !== one.type) {
        this.#follower.remove(one.index);
        one.index = this.#follower.add(type);
        one.type = type;
      }
      const { min, max } = one.body.bounds;
      this.#follower.place(one.index, place);
      this.#follower.follow(one.index, min.x, min.y, max.x, max.y);
    });
    return isEach ? bodies : this.#followed.map(({ body }) => body);
  }

  #exchange(bodies: readonly MatterBody[]): void {
    const known = new Map(this.#followed.map((one) => [one.body, one]));
    const kept = [...new Set(bodies)].map((body) => {
      const one = known.get(body);
      known.delete(body);
      return one ?? { body, index: -1, type: typeOf(body) };
    });
    for (const { index } of known.values()) {
      this.#follower.remove(index);
    }
    for (const one of kept) {
      if (one.index < 0) {
        one.index = this.#follower.add(one.type);
      }
    }
    this.#bodies = bodies;
    this.#followed = kept;
  }
}

// Of 50 boxes, ours takes 1.00 to 1.04 of the time of matter-js, of 100 0.91 to 1.02, of 500 to 2,000 that fly about 0.88 to
// 0.90, and in a pile 0.91 to 1.03: most of it is the collision tests (web/bench/matter.mjs).
const usualFewest = 100;

/**
 * Replaces the detector of one engine, or of all present and future engines, where it has at least `fewest` bodies: with
 * fewer, there is nothing to gain. Returns a function that undoes it.
 *
 * The contacts are those of matter-js, in its order, computed by its own `Collision.collides` and
 * `Detector.canCollide`: the engine gives the same results, bit for bit. Where ours is used, a body whose bounds contain
 * NaN touches nothing.
 *
 * ```ts
 * await ready;
 * const undo = install(Matter, engine);
 * ```
 */
export function install(
  matter: MatterModule,
  engine?: { readonly detector: object },
  fewest: number = usualFewest,
): () => void {
  const watches = new WeakMap<object, Watch>();
  const before = matter.Detector.collisions;
  let installed = true;
  matter.Detector.collisions = (detector: MatterDetector) => {
    if (!installed || (engine !== undefined && engine.detector !== detector) || detector.bodies.length < fewest) {
      return before(detector);
    }
    let watch = watches.get(detector);
    if (watch === undefined) {
      watch = new Watch();
      watches.set(detector, watch);
    }
    return watch.collisions(matter, detector);
  };
  return () => {
    installed = false;
  };
}

/**
 * The plug-in for `Matter.use`: all engines then find their contacts with broadside.
 *
 * ```ts
 * import Matter from 'matter-js';
 * import { ready } from 'broadside';
 * import { plugin } from 'broadside/matter';
 * await ready;
 * Matter.use(plugin);
 * ```
 */
export const plugin = {
  /** The name for matter-js. */
  name: 'broadside',
  /** The version of this package. */
  version: '0.2.0',
  /** The versions of matter-js that it supports. */
  for: 'matter-js@^0.20.0',
  /** Called by `Matter.use` with the module, an argument that @types/matter-js omits. */
  install(matter?: MatterModule): void {
    install(matter!);
  },
};
