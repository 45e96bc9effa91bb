// The system of "Optimizing Collision Detection", a chapter of a tutorial on entity component systems, with its names.
import { BroadPhase } from './broad_phase.js';
import { BroadsideError, invalid } from './errors.js';
import { Follower } from './follower.js';
import type { Point } from './geometry.js';

/** The properties of a body that are used. */
export interface BodyComponent {
  /** The corner with the lowest coordinates (unit: length). */
  readonly position: Point;
  /** 0 or more (unit: length). */
  readonly width: number;
  /** 0 or more (unit: length). */
  readonly height: number;
}

/** Functions by the tag of the other component; tags without a function are not there, or undefined. */
export type CollisionCallbacks = Record<string, ((other: CollisionComponent) => void) | undefined>;

// Without members such as `constructor`, which a tag could name. `Object.create(null)` alone is enumerated 10 times slower.
const Callbacks = function () {} as unknown as new () => CollisionCallbacks;
Callbacks.prototype = Object.create(null);

let lastId = 0;

/** The component that makes an entity collide: `CollisionSystem.createCollisionComponent`. */
export class CollisionComponent {
  /** A number that no other component has. */
  readonly id: number = ++lastId;
  /** Called in each update in which the two touch. */
  collisionCallbacks = new Callbacks();
  /** Called in the first update in which the two touch. */
  beginCallbacks = new Callbacks();
  /** Called in the first update in which the two no longer touch; the other one may have been deleted. */
  endCallbacks = new Callbacks();
  /** Whether it no longer collides. */
  isDeleted = false;

  constructor(
    /** Where it is; may be moved and resized at any time. */
    public bodyComponent: BodyComponent,
    /** The name by which callbacks select it; any text. */
    public collisionTag: string,
  ) {}

  /** Lets it touch nothing any more: no callback is called for it from now on, except the end callbacks of others. */
  delete(): void {
    this.isDeleted = true;
  }
}

/** A component and its box in the broad phase. */
interface Followed {
  readonly component: CollisionComponent;
  readonly index: number;
  layer: number;
  wants: number;
  /** Whether it was removed from the components. */
  isGone: boolean;
  /** The others with a higher index that it touches, and the latest update in which it did. */
  readonly touched: Map<Followed, number>;
}

/** A callback to run after detection. */
interface Due {
  readonly callback: (other: CollisionComponent) => void;
  readonly self: CollisionComponent;
  readonly other: CollisionComponent;
  readonly isEnd: boolean;
}

// The tags after the first 30 share a bit: pairs that only its filter lets through are tested, but not reported.
const sharedBit = 2 ** 30;

function expectValid({ bodyComponent: { position, width, height }, collisionTag }: CollisionComponent, i: number): void {
  if (width >= 0 && height >= 0 && Number.isFinite(position.x + position.y + width + height)) {
    return;
  }
  for (const [name, value] of Object.entries({ x: position.x, y: position.y, width, height })) {
    if (!Number.isFinite(value)) {
      throw new BroadsideError('not_finite', `component ${i} (tag "${collisionTag}"): ${name} is ${value}`);
    }
  }
  if (width < 0 || height < 0) {
    throw invalid(`component ${i} (tag "${collisionTag}"): its size is ${width} x ${height}; must be 0 or more`);
  }
}

function callbackOf(callbacks: CollisionCallbacks, tag: string): CollisionCallbacks[string] {
  return Object.hasOwn(callbacks, tag) ? callbacks[tag] : undefined;
}

function ordered(a: Followed, b: Followed): [low: Followed, high: Followed] {
  return a.index < b.index ? [a, b] : [b, a];
}

/** Queues the callbacks of `self` for another one that it touches; tells whether it has any. */
function queue(due: Due[], self: CollisionComponent, other: CollisionComponent, isNew: boolean): boolean {
  const begin = callbackOf(self.beginCallbacks, other.collisionTag);
  const collide = callbackOf(self.collisionCallbacks, other.collisionTag);
  if (begin && isNew) {
    due.push({ callback: begin, self, other, isEnd: false });
  }
  if (collide) {
    due.push({ callback: collide, self, other, isEnd: false });
  }
  return Boolean(begin ?? collide ?? callbackOf(self.endCallbacks, other.collisionTag));
}

/** Queues the end callback of `self`, if it is still there. */
function queueEnd(due: Due[], self: Followed, { component: other }: Followed): void {
  const callback = callbackOf(self.component.endCallbacks, other.collisionTag);
  if (callback && !self.isGone) {
    due.push({ callback, self: self.component, other, isEnd: true });
  }
}

/**
 * Finds the components whose boxes touch, and runs their callbacks: in place of a system that compares each component
 * with each other one.
 *
 * ```ts
 * import { ready } from 'broadside';
 * import { CollisionSystem } from 'broadside/ecs';
 * await ready;
 * const collisionSystem = new CollisionSystem();
 * const collision = collisionSystem.createCollisionComponent(body, 'player');
 * collision.collisionCallbacks['food'] = () => grow(20);
 * collisionSystem.update(); // in each frame, after the bodies have moved
 * ```
 *
 * Boxes are closed: those that share an edge touch. Numbers are compared as doubles. Only pairs with a callback are
 * tested, and bodies that have not moved keep their places in the broad phase. All changes of components are found by
 * comparison.
 *
 * Order: by the components, the earlier one of a pair first; for each one its begin callback, then its collision
 * callback; end callbacks last. A contact for which neither has a callback is not followed: it begins when there is one.
 */
export class CollisionSystem {
  /** All components; they may be added, removed and sorted between updates. */
  components: CollisionComponent[] = [];

  readonly #follower: Follower;
  readonly #bits = new Map<string, number>(); // of tags
  #followed: Followed[] = []; // in the order of the components
  #touching: [Followed, Followed][] = []; // in the last update
  #updates = 0;
  #isUpdating = false;

  constructor(
    /** The broad phase, for its cells and counters; by default that of the default technique. */
    readonly broadPhase: BroadPhase = new BroadPhase(),
  ) {
    this.#follower = new Follower(broadPhase);
  }

  /** Makes a component, and adds it. */
  createCollisionComponent(bodyComponent: BodyComponent, collisionTag: string): CollisionComponent {
    const component = new CollisionComponent(bodyComponent, collisionTag);
    this.components.push(component);
    return component;
  }

  /** Removes the components that were deleted. */
  deleteStaleComponents(): void {
    this.components = this.components.filter(({ isDeleted }) => !isDeleted);
  }

  /**
   * Finds the components that touch, then runs their callbacks, which may change and delete all components. What a
   * callback throws ends the update.
   *
   * @throws BroadsideError `not_finite` or `invalid_argument` for a position or size without meaning: nothing has
   * changed then, and no callback was called; `locked` from within a callback
   */
  update(): void {
    if (this.#isUpdating) {
      throw new BroadsideError('locked', 'an update may not begin from within a callback of the last one');
    }
    const components = this.components.filter(({ isDeleted }) => !isDeleted);
    components.forEach(expectValid);
    this.#follow(components);
    this.#isUpdating = true;
    try {
      for (const { callback, self, other, isEnd } of this.#detect()) {
        if (!self.isDeleted && (isEnd || !other.isDeleted)) {
          callback(other);
        }
      }
    } finally {
      this.#isUpdating = false;
    }
  }

  #follow(components: readonly CollisionComponent[]): void {
    const before = this.#followed;
    if (before.length !== components.length || components.some((component, i) => before[i]!.component !== component)) {
      this.#exchange(components);
    }
    this.#followed.forEach((one, place) => {
      const { position, width, height } = one.component.bodyComponent;
      const { x, y } = position;
      this.#follower.place(one.index, place);
      this.#follower.follow(one.index, x, y, x + width, y + height);
      this.#setFilter(one);
    });
  }

  #exchange(components: readonly CollisionComponent[]): void {
    const known = new Map(this.#followed.map((one) => [one.component, one]));
    const all = [...new Set(components)];
    const kept = new Set(all);
    for (const one of this.#followed) {
      if (!kept.has(one.component)) {
        this.#follower.remove(one.index);
        one.isGone = true;
      }
    }
    const add = (component: CollisionComponent): Followed => {
      const index = this.#follower.add('dynamic');
      return { component, index, layer: 0, wants: 0, isGone: false, touched: new Map() };
    };
    this.#followed = all.map((component) => known.get(component) ?? add(component));
  }

  #setFilter(one: Followed): void {
    const { collisionTag, collisionCallbacks, beginCallbacks, endCallbacks } = one.component;
    const layer = this.#bitOf(collisionTag);
    const wants = this.#bitsOf(collisionCallbacks) | this.#bitsOf(beginCallbacks) | this.#bitsOf(endCallbacks);
    if (layer !== one.layer || wants !== one.wants) {
      this.#follower.setFilter(one.index, { layer, wants });
      one.layer = layer;
      one.wants = wants;
    }
  }

  #bitsOf(callbacks: CollisionCallbacks): number {
    let bits = 0;
    for (const tag in callbacks) {
      bits |= callbacks[tag] ? this.#bitOf(tag) : 0;
    }
    return bits;
  }

  #bitOf(tag: string): number {
    let bit = this.#bits.get(tag);
    if (bit === undefined) {
      bit = Math.min(2 ** this.#bits.size, sharedBit);
      this.#bits.set(tag, bit);
    }
    return bit;
  }

  #detect(): Due[] {
    const due: Due[] = [];
    const touching: [Followed, Followed][] = [];
    const update = ++this.#updates;
    const places = this.#follower.findPairs(this.#followed.length, 'lower first');
    for (let i = 0; i < places.length; i += 2) {
      const a = this.#followed[places[i]!]!;
      const b = this.#followed[places[i + 1]!]!;
      const [low, high] = ordered(a, b);
      const isNew = !low.touched.has(high);
      const isWanted = [queue(due, a.component, b.component, isNew), queue(due, b.component, a.component, isNew)];
      if (isWanted.includes(true)) {
        low.touched.set(high, update);
        touching.push([a, b]);
      }
    }
    for (const [a, b] of this.#touching) {
      const [low, high] = ordered(a, b);
      if (low.touched.get(high) !== update) {
        low.touched.delete(high);
        queueEnd(due, a, b);
        queueEnd(due, b, a);
      }
    }
    this.#touching = touching;
    return due;
  }
}
