import { bodyTypes, type BodyType } from './broad_phase.js';
import { check, engine, output, pushOption, pushPoint, pushTurn, textAt } from './engine.js';
import { pushFilter, readFilter, type Filter } from './filter.js';
import type { Aabb, Placement, Point, Rotation } from './geometry.js';
import { pushShape, readShape, type Shape } from './shapes.js';
import type { Contact } from './contact.js';
import type { World } from './world.js';

/** What a body is to be when it is added. All that is not told has a sensible default. */
export interface BodyOptions {
  /** In the body's own frame; a point at its origin if not told. */
  readonly shape?: Shape;
  /** Several, in the same frame, instead of one. */
  readonly shapes?: readonly Shape[];
  /** Fixed for life; `dynamic` if not told. */
  readonly type?: BodyType;
  /** Of its frame's origin; (0, 0) if not told (unit: length). */
  readonly position?: Point;
  /** How far it is turned; 0 if not told (unit: radian). */
  readonly angle?: number;
  /** The same, instead of an angle. */
  readonly rotation?: Rotation;
  /** 0 if not told (unit: length per second). */
  readonly velocity?: Point;
  /** The body's own, added to gravity; 0 if not given (unit: length per second squared). */
  readonly acceleration?: Point;
  /** What listeners know it by. */
  readonly tag?: string;
  /** Who it may touch; everybody if not told. */
  readonly filter?: Filter;
  /** It is told of, but nothing bounces off it. */
  readonly sensor?: boolean;
  /** It is swept along its way, so it cannot jump through anything. */
  readonly bullet?: boolean;
  /** A body that is not touches nothing, and no query finds it; true if not told. */
  readonly enabled?: boolean;
  /** Above 0; the area of its shapes if not told. */
  readonly mass?: number;
  /** The caller's own. */
  readonly userData?: unknown;
}

/** What `world_change` of the module does. */
const change = {
  move: 0,
  teleport: 1,
  place: 2,
  push: 3,
  velocity: 4,
  shape: 5,
  enabled: 6,
  sensor: 7,
  bullet: 8,
  filter: 9,
  tag: 10,
  ignored: 11,
  acceleration: 12,
} as const;

export const origin: Point = { x: 0, y: 0 };

/** Pushes what the module reads of a body but its tag, which `tagNumber` is. */
export function pushBody(numbers: number[], body: BodyOptions, type: number, tagNumber: number): void {
  numbers.push(type);
  pushPoint(numbers, body.position ?? origin);
  pushTurn(numbers, body);
  pushPoint(numbers, body.velocity ?? origin);
  pushPoint(numbers, body.acceleration ?? origin);
  numbers.push(tagNumber);
  pushFilter(numbers, body.filter);
  numbers.push(body.sensor ? 1 : 0, body.bullet ? 1 : 0, body.enabled === false ? 0 : 1);
  pushOption(numbers, body.mass);
  const shapes = body.shapes ?? (body.shape === undefined ? [] : [body.shape]);
  numbers.push(shapes.length);
  for (const shape of shapes) {
    pushShape(numbers, shape);
  }
}

/**
 * A body of a `World`: the same object for the same body, always. Once it is removed, all that is asked of it is the
 * error `stale_id`.
 */
export class Body {
  /** The caller's own. */
  userData: unknown = undefined;

  /** @internal Bodies are made by `World.add`. */
  constructor(
    /** The world that it is in. */
    readonly world: World,
    /** Place of its first shape; given out again once it is removed. */
    readonly index: number,
    /** How often the place was given out. */
    readonly generation: number,
  ) {}

  /** Tells whether it is still there. */
  get alive(): boolean {
    return engine().world_contains(this.world.handle, this.index, this.generation, this.world.number) !== 0;
  }

  /** Whether and how it moves; fixed for life. */
  get type(): BodyType {
    return bodyTypes[this.#state(0)] as BodyType;
  }

  /** Where it is (unit: length). */
  get position(): Point {
    const state = this.#states();
    return { x: state[1] as number, y: state[2] as number };
  }
  /** Moves the body; its velocity stays, and a bullet is swept along the way. */
  set position(position: Point) {
    this.#change(change.place, (numbers) => pushPoint(numbers, position));
  }

  /** How it is turned. */
  get rotation(): Rotation {
    const state = this.#states();
    return { cos: state[3] as number, sin: state[4] as number };
  }

  /** How far it is turned, in (-pi, pi] (unit: radian). */
  get angle(): number {
    const { cos, sin } = this.rotation;
    return Math.atan2(sin, cos);
  }

  /** Its velocity, exactly as it was set or computed (unit: length per second). */
  get velocity(): Point {
    const state = this.#states();
    return { x: state[5] as number, y: state[6] as number };
  }
  /** Sets the velocity of a body that is not static. A disabled body keeps it, and stays where it is. */
  set velocity(velocity: Point) {
    this.#change(change.velocity, (numbers) => pushPoint(numbers, velocity));
  }

  /** Its own acceleration, without gravity (unit: length per second squared). */
  get acceleration(): Point {
    const state = this.#states();
    return { x: state[15] as number, y: state[16] as number };
  }
  /** Sets the own acceleration of a body that is not static. */
  set acceleration(acceleration: Point) {
    this.#change(change.acceleration, (numbers) => pushPoint(numbers, acceleration));
  }

  /** It is told of, but nothing bounces off it. */
  get sensor(): boolean {
    return this.#state(7) !== 0;
  }
  /** Changes it. */
  set sensor(sensor: boolean) {
    this.#change(change.sensor, (numbers) => numbers.push(sensor ? 1 : 0));
  }

  /** It is swept along its way, so it cannot jump through anything. */
  get bullet(): boolean {
    return this.#state(8) !== 0;
  }
  /** Changes it. */
  set bullet(bullet: boolean) {
    this.#change(change.bullet, (numbers) => numbers.push(bullet ? 1 : 0));
  }

  /** A body that is not touches nothing, and no query finds it. */
  get enabled(): boolean {
    return this.#state(9) !== 0;
  }
  /** Changes it; contacts end in the next step. */
  set enabled(enabled: boolean) {
    this.#change(change.enabled, (numbers) => numbers.push(enabled ? 1 : 0));
  }

  /** What it weighs where bodies bounce. */
  get mass(): number {
    return this.#state(10);
  }

  /** The smallest box around the body's shapes, where it is now. */
  get bounds(): Aabb {
    const state = this.#states();
    return {
      min: { x: state[11] as number, y: state[12] as number },
      max: { x: state[13] as number, y: state[14] as number },
    };
  }

  /** Who it may touch. */
  get filter(): Required<Filter> {
    check(engine().world_filter(this.world.handle, this.index, this.generation, this.world.number));
    return readFilter(output());
  }
  /** Changes it; what it does not say is as in a new filter. */
  set filter(filter: Filter) {
    this.#change(change.filter, (numbers) => pushFilter(numbers, filter));
  }

  /** What listeners know it by; empty if it has none. */
  get tag(): string {
    check(engine().world_tag(this.world.handle, this.index, this.generation, this.world.number));
    const [at = 0, size = 0] = output();
    return textAt(at, size);
  }
  /** Changes it. */
  set tag(tag: string) {
    this.#change(change.tag, (numbers) => numbers.push(this.world.tagNumber(tag)));
  }

  /** The first, then the others. */
  get shapes(): Shape[] {
    check(engine().world_shapes(this.world.handle, this.index, this.generation, this.world.number));
    const numbers = output();
    let at = 0;
    const next = () => numbers[at++] as number;
    return Array.from({ length: next() }, () => readShape(next));
  }

  /** Gives the body another shape in the place of its first. */
  setShape(shape: Shape): void {
    this.#change(change.shape, (numbers) => pushShape(numbers, shape));
  }

  /** Moves the body and turns it: it has no turn if none is told. */
  move(placement: Placement): void {
    this.#change(change.move, (numbers) => {
      pushPoint(numbers, placement);
      pushTurn(numbers, placement);
    });
  }

  /** Puts the body somewhere else: as `move`, but not even a bullet touches what is between. */
  teleport(placement: Placement): void {
    this.#change(change.teleport, (numbers) => {
      pushPoint(numbers, placement);
      pushTurn(numbers, placement);
    });
  }

  /**
   * Moves the body by `way`, and adds to its velocity what covers the same way in a step as long as the last one (at
   * first 1/60 second): a move that becomes velocity, as in Verlet integration.
   */
  push(way: Point): void {
    this.#change(change.push, (numbers) => pushPoint(numbers, way));
  }

  /** Keeps it and another apart, or lets them meet again, whatever else is said. */
  ignore(other: Body, ignored = true): void {
    this.#change(change.ignored, (numbers) => {
      numbers.push(other.index, other.generation, other.world.number, ignored ? 1 : 0);
    });
  }

  /** Removes the body. Its contacts end in the next step; it gets no further callback. */
  remove(): void {
    this.world.remove(this);
  }

  /** Returns its contacts of the last step, ascending by the other body; the body is `a` of each. */
  contacts(): Contact[] {
    return this.world.contactsOf(this);
  }

  #states(): Float64Array {
    check(engine().world_body(this.world.handle, this.index, this.generation, this.world.number));
    return output();
  }

  #state(i: number): number {
    return this.#states()[i] as number;
  }

  #change(what: number, push: (numbers: number[]) => void): void {
    const numbers = [this.index, this.generation, this.world.number];
    push(numbers);
    this.world.change(what, numbers);
  }
}

/** Returns what the module knows a body by: index, generation and the number of its world; zeros for none. */
export function idOf(body: Body | undefined): [number, number, number] {
  return body === undefined ? [0, 0, 0] : [body.index, body.generation, body.world.number];
}
