import { bodyTypes, type BodyType } from './broad_phase.js';
import {
  check,
  engine,
  floatRead,
  output,
  outputNumber,
  outputPoint,
  pointRead,
  pushOption,
  pushPoint,
  pushTurn,
  textAt,
} from './engine.js';
import { pushFilter, readFilter, type Filter } from './filter.js';
import type { Aabb, Placement, Point, Rotation } from './geometry.js';
import { refuseWrongTypes } from './refusing.js';
import { pushShape, readShape, type Shape } from './shapes.js';
import type { Contact } from './contact.js';
import type { World } from './world.js';

/** Options of a new body. Every option has a default. */
export interface BodyOptions {
  /** In local coordinates; a point at the origin by default. */
  readonly shape?: Shape;
  /** Several shapes instead of one, also in local coordinates. */
  readonly shapes?: readonly Shape[];
  /** Never changes; `dynamic` by default. */
  readonly type?: BodyType;
  /** Of the local origin; (0, 0) by default (unit: length). */
  readonly position?: Point;
  /** The rotation; 0 by default (unit: radian). */
  readonly angle?: number;
  /** The same, instead of an angle: both are refused (`invalid_argument`). */
  readonly rotation?: Rotation;
  /** 0 by default (unit: length per second). */
  readonly velocity?: Point;
  /** The body's own, added to gravity; 0 by default (unit: length per second squared). */
  readonly acceleration?: Point;
  /** The name by which listeners select the body. */
  readonly tag?: string;
  /** Which bodies it may touch; all by default. */
  readonly filter?: Filter;
  /** Whether its contacts are reported without a response: nothing bounces off it. */
  readonly sensor?: boolean;
  /** Whether it is swept along its motion, so that it does not tunnel. */
  readonly bullet?: boolean;
  /** A disabled body touches nothing, and no query finds it; true by default. */
  readonly enabled?: boolean;
  /** Above 0; by default the area of its shapes, or 1 if that is 0. */
  readonly mass?: number;
  /** Free for the caller. */
  readonly userData?: unknown;
}

/** The changes that `world_change` of the module can make. */
const change = { move: 0, teleport: 1, shape: 2, enabled: 3, sensor: 4, bullet: 5, filter: 6, tag: 7, ignored: 8 } as const;
/** Those of `world_change_vector`. */
const vector = { position: 0, motion: 1, velocity: 2, acceleration: 3 } as const;

export const origin: Point = { x: 0, y: 0 };

/** Pushes the numbers that the module reads for a body; `tagNumber` stands for its tag. */
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
 * A body of a `World`. The same body is always the same object. After its removal, all accesses throw `stale_id`.
 */
export class Body {
  /** Free for the caller. */
  userData: unknown = undefined;

  /** @internal Bodies are made by `World.add`. */
  constructor(
    /** The world that it is in. */
    readonly world: World,
    /** Place of its first shape; reused after its removal. */
    readonly index: number,
    /** How often the place has been used. */
    readonly generation: number,
  ) {}

  /** Whether it has not been removed. */
  get alive(): boolean {
    return engine().world_contains(this.world.handle, this.index, this.generation, this.world.number) !== 0;
  }

  /** Whether and how it moves; never changes. */
  get type(): BodyType {
    return bodyTypes[this.#state(0)] as BodyType;
  }

  /** Its position (unit: length). */
  get position(): Point {
    this.#readTransform();
    return pointRead(0);
  }
  /** Moves the body; its velocity stays, and a bullet is swept along the displacement. */
  set position(position: Point) {
    this.#changeVector(vector.position, position);
  }

  /** Its rotation. */
  get rotation(): Rotation {
    this.#readTransform();
    return { cos: floatRead(2), sin: floatRead(3) };
  }

  /** Its rotation as an angle in (-pi, pi] (unit: radian). */
  get angle(): number {
    const { cos, sin } = this.rotation;
    return Math.atan2(sin, cos);
  }

  /** Its velocity, exactly as it was set or computed (unit: length per second). */
  get velocity(): Point {
    this.#readMotion();
    return pointRead(0);
  }
  /** Sets the velocity of a body that is not static. A disabled body keeps it, but does not move. */
  set velocity(velocity: Point) {
    this.#changeVector(vector.velocity, velocity);
  }

  /** Its own acceleration, without gravity (unit: length per second squared). */
  get acceleration(): Point {
    this.#readMotion();
    return pointRead(2);
  }
  /** Sets the own acceleration of a body that is not static. */
  set acceleration(acceleration: Point) {
    this.#changeVector(vector.acceleration, acceleration);
  }

  /** Whether its contacts are reported without a response: nothing bounces off it. */
  get sensor(): boolean {
    return this.#state(1) !== 0;
  }
  /** Makes it a sensor, or no longer. */
  set sensor(sensor: boolean) {
    this.#change(change.sensor, (numbers) => numbers.push(sensor ? 1 : 0));
  }

  /** Whether it is swept along its motion, so that it does not tunnel. */
  get bullet(): boolean {
    return this.#state(2) !== 0;
  }
  /** Makes it a bullet, or no longer. */
  set bullet(bullet: boolean) {
    this.#change(change.bullet, (numbers) => numbers.push(bullet ? 1 : 0));
  }

  /** Whether it is enabled: a disabled body touches nothing, and no query finds it. */
  get enabled(): boolean {
    return this.#state(3) !== 0;
  }
  /** Enables or disables the body; contacts of a disabled body end in the next step. */
  set enabled(enabled: boolean) {
    this.#change(change.enabled, (numbers) => numbers.push(enabled ? 1 : 0));
  }

  /** Its mass, for bounces. */
  get mass(): number {
    return this.#state(4);
  }

  /** The smallest box around the body's shapes, where it is now. */
  get bounds(): Aabb {
    this.#state(0);
    return { min: outputPoint(5), max: outputPoint(7) };
  }

  /** Which bodies it may touch. */
  get filter(): Required<Filter> {
    check(engine().world_filter(this.world.handle, this.index, this.generation, this.world.number));
    return readFilter(output());
  }
  /** Sets the filter; omitted fields get their defaults. */
  set filter(filter: Filter) {
    this.#change(change.filter, (numbers) => pushFilter(numbers, filter));
  }

  /** The name by which listeners select it; empty if it has none. */
  get tag(): string {
    check(engine().world_tag(this.world.handle, this.index, this.generation, this.world.number));
    const [at = 0, size = 0] = output();
    return textAt(at, size);
  }
  /** Sets the tag. */
  set tag(tag: string) {
    this.#change(change.tag, (numbers) => numbers.push(this.world.tagNumber(tag)));
  }

  /** Its shapes, the first one first. */
  get shapes(): Shape[] {
    check(engine().world_shapes(this.world.handle, this.index, this.generation, this.world.number));
    const numbers = output();
    let at = 0;
    const next = () => numbers[at++] as number;
    return Array.from({ length: next() }, () => readShape(next));
  }

  /** Replaces the first shape of the body. */
  setShape(shape: Shape): void {
    this.#change(change.shape, (numbers) => pushShape(numbers, shape));
  }

  /** Moves and rotates the body; without an angle or rotation, it gets none. */
  move(placement: Placement): void {
    this.#change(change.move, (numbers) => {
      pushPoint(numbers, placement);
      pushTurn(numbers, placement);
    });
  }

  /** Moves the body without sweeping it: not even a bullet touches anything in between. */
  teleport(placement: Placement): void {
    this.#change(change.teleport, (numbers) => {
      pushPoint(numbers, placement);
      pushTurn(numbers, placement);
    });
  }

  /**
   * Moves the body by `motion`, and adds a velocity that covers `motion` in a step of the last length (at first
   * 1/60 second), as in Verlet integration.
   */
  push(motion: Point): void {
    this.#changeVector(vector.motion, motion);
  }

  /** Prevents contacts with another body, whatever the filters allow, or allows them again. */
  ignore(other: Body, ignored = true): void {
    this.#change(change.ignored, (numbers) => {
      numbers.push(other.index, other.generation, other.world.number, ignored ? 1 : 0);
    });
  }

  /** Removes the body. Its contacts end in the next step; no further callback is called for it. */
  remove(): void {
    this.world.remove(this);
  }

  /** Returns its contacts of the last step, ascending by the other body; this body is `a` of each. */
  contacts(): Contact[] {
    return this.world.contactsOf(this);
  }

  #readTransform(): void {
    check(engine().world_transform(this.world.handle, this.index, this.generation, this.world.number));
  }

  #readMotion(): void {
    check(engine().world_motion(this.world.handle, this.index, this.generation, this.world.number));
  }

  #state(i: number): number {
    check(engine().world_body(this.world.handle, this.index, this.generation, this.world.number));
    return outputNumber(i);
  }

  #changeVector(what: number, to: Point): void {
    const { world, index, generation } = this;
    const [x, y] = [to?.x ?? NaN, to?.y ?? NaN];
    check(engine().world_change_vector(world.handle, index, generation, world.number, what, x, y));
  }

  #change(what: number, push: (numbers: number[]) => void): void {
    const numbers = [this.index, this.generation, this.world.number];
    push(numbers);
    this.world.change(what, numbers);
  }
}

refuseWrongTypes(Body);

/** Returns the id of a body in the module: index, generation and the number of its world; zeros for none. */
export function idOf(body: Body | undefined): [number, number, number] {
  return body === undefined ? [0, 0, 0] : [body.index, body.generation, body.world.number];
}
