// For matter-js 0.20 (https://github.com/liabru/matter-js), which is not imported: it hands over all that is needed.
import type { BodyType } from './broad_phase.js';
import { Follower } from './follower.js';
import type { Point } from './geometry.js';

/** A box of matter-js. */
export interface MatterBounds {
  /** The least x and y. */
  readonly min: Point;
  /** The greatest x and y. */
  readonly max: Point;
}

/** What is asked of a body of matter-js. */
export interface MatterBody {
  /** The box that holds its parts. */
  readonly bounds: MatterBounds;
  /** It never moves. */
  readonly isStatic: boolean;
  /** It rests until something touches it. */
  readonly isSleeping: boolean;
  /** For `Detector.canCollide`. */
  readonly collisionFilter: unknown;
  /** Itself, then what it is made of, where that is more than one. */
  readonly parts: readonly MatterBody[];
}

/** What is asked of a detector of matter-js. */
export interface MatterDetector {
  /** Whom it watches. */
  bodies: MatterBody[];
  /** What it found last. */
  collisions: unknown[];
  /** For `Collision.collides`. */
  pairs: unknown;
}

/** What is asked of matter-js itself: `import Matter from 'matter-js'`. */
export interface MatterModule {
  // Methods, and `any`, for the types that others wrote for matter-js are not ours.
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

/** What the broad phase knows of a body. */
interface Followed {
  readonly body: MatterBody;
  index: number;
  type: BodyType;
}

// Sleeping bodies are to matter-js as static ones; but they wake up, so they are not put among those.
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
  #bodies: readonly MatterBody[] = []; // those of the detector at last sight
  #followed: Followed[] = []; // from left to right

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
      // The first part of a compound body is itself, and stands for its hull.
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

  #follow(bodies: readonly MatterBody[]): void {
    if (bodies !== this.#bodies || bodies.length !== this.#followed.length) {
      this.#exchange(bodies);
    }
    // The same order as that of matter-js, which solves contacts in the order in which they were found.
    this.#followed.sort(byLeftSide);
    this.#followed.forEach((one, place) => {
      const type = typeOf(one.body);
      if (type !== one.type) {
        this.#follower.remove(one.index);
        one.index = this.#follower.add(type);
        one.type = type;
      }
      const { min, max } = one.body.bounds;
      this.#follower.follow(one.index, place, min.x, min.y, max.x, max.y);
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

/**
 * Replaces the detector of one engine, or of all engines there are and will be. Returns what undoes it.
 *
 * Contacts are those of matter-js, in its order, from its own `Collision.collides` and `Detector.canCollide`: an engine
 * goes on bit for bit as it would have. A body whose bounds hold NaN touches nothing.
 *
 * ```ts
 * await ready;
 * const undo = install(Matter, engine);
 * ```
 */
export function install(matter: MatterModule, engine?: { readonly detector: object }): () => void {
  const watches = new WeakMap<object, Watch>();
  const before = matter.Detector.collisions;
  let installed = true;
  matter.Detector.collisions = (detector: MatterDetector) => {
    if (!installed || (engine !== undefined && engine.detector !== detector)) {
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
 * The plug-in for `Matter.use`, which makes all engines find their contacts with broadside.
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
  /** As matter-js lists it. */
  name: 'broadside',
  /** Of this package. */
  version: '0.1.0',
  /** What it fits. */
  for: 'matter-js@^0.20.0',
  /** Matter.use hands over the module, which the types that others wrote for it leave out. */
  install(matter?: MatterModule): void {
    install(matter!);
  },
};
