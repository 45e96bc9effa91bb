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

function byLeftSide(a: Followed, b: Followed): number {
  return a.body.bounds.min.x - b.body.bounds.min.x;
}

/** Finds the collisions of one detector. */
class Watch {
  readonly #follower = new Follower();
  #bodies: readonly MatterBody[] = []; // the detector's bodies in the last call
  #followed: Followed[] = []; // sorted from left to right

  collisions(matter: MatterModule, detector: MatterDetector): unknown[] {
    this.#follow(detector.bodies);
    const followed = this.#followed;
    const count = followed.length;
    const { collisions, pairs } = detector;
    collisions.length = 0;
    const collide = (a: MatterBody, b: MatterBody) => {
      const collision = matter.Collision.collides(a, b, pairs);
      if (collision) {
        collisions.push(collision);
      }
    };
    const keys = this.#follower.findPairs(count, 'lower first');
    for (let k = 0; k < keys.length; ++k) {
      const lower = Math.floor(keys[k]! / count);
      const a = followed[lower]!.body;
      const b = followed[keys[k]! - lower * count]!.body;
      if (!matter.Detector.canCollide(a.collisionFilter, b.collisionFilter)) {
        continue;
      }
      if (a.parts.length === 1 && b.parts.length === 1) {
        collide(a, b);
        continue;
      }
      // The first part of a compound body is the body itself: its hull.
      for (let i = a.parts.length > 1 ? 1 : 0; i < a.parts.length; ++i) {
        for (let j = b.parts.length > 1 ? 1 : 0; j < b.parts.length; ++j) {
          const partA = a.parts[i]!;
          const partB = b.parts[j]!;
          if (touch(partA.bounds, partB.bounds)) {
            collide(partA, partB);
          }
        }
      }
    }
    return collisions;
  }

  #follow(bodies: MatterBody[]): void {
    if (bodies !== this.#bodies || bodies.length !== this.#followed.length) {
      this.#exchange(bodies);
    }
    // The order of matter-js, which solves contacts in the order in which it finds them, and sorts the bodies, too.
    this.#followed.sort(byLeftSide);
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

// With 2,000 moving boxes both take the same time, with 1,000 ours takes 1.1 to 1.4 times as long: most of it is the narrow
// phase.
const usualFewest = 2000;

/**
 * Replaces the detector of one engine, or of all present and future engines, where it has at least `fewest` bodies: with
 * fewer, the one of matter-js is faster. Returns a function that undoes it.
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
