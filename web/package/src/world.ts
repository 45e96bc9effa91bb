import { Body, pushBody, type BodyOptions } from './body.js';
import { BodyList } from './body_list.js';
import {
  giveTechniqueOptions,
  numberOf,
  readCells,
  readStatistics,
  type Cell,
  type Statistics,
  type TechniqueName,
  type TechniqueOptions,
} from './broad_phase.js';
import {
  contactNumbers,
  endCauses,
  readContact,
  turned,
  type Contact,
  type ContactEnd,
  type EndCause,
} from './contact.js';
import {
  bytesAt,
  check,
  engine,
  floatsAt,
  give,
  output,
  pushPoint,
  pushTurn,
  textAt,
  withMemory,
  withText,
  wordsAt,
} from './engine.js';
import { BroadsideError } from './errors.js';
import { pushFilter, type QueryOptions } from './filter.js';
import type { Aabb, Placement, Point } from './geometry.js';
import { calling, deciding, isCalling, listen, setPredicate, unlisten, visiting } from './listening.js';
import {
  meetings,
  question,
  type Hit,
  type Meeting,
  type NearBody,
  type Obstacle,
  type SlideOptions,
  type SlideResult,
} from './query.js';
import { pushShape, type Shape } from './shapes.js';

/** What a `World` may be told. */
export interface WorldOptions {
  /** `listeners`: pairs that no listener waits for are not even tested; `all` if not told. */
  readonly interest?: 'all' | 'listeners';
  /** `bounce`: bodies are thrown back, by their masses; `none` if not told. */
  readonly response?: 'none' | 'bounce';
  /** 1 bounces off as fast as it came, 0 not at all; 1 if not told. */
  readonly restitution?: number;
  /** Of dynamic bodies (unit: length per second squared). */
  readonly gravity?: Point;
  readonly technique?: TechniqueName;
  readonly techniqueOptions?: TechniqueOptions;
}

/** Circles to be added in bulk: what is not theirs alone is told once. */
export interface CirclesOptions extends Omit<BodyOptions, 'shape' | 'shapes' | 'position' | 'velocity' | 'userData'> {
  /** [n][2] */
  readonly positions: ArrayLike<number>;
  /** [n], or one for all */
  readonly radii: ArrayLike<number> | number;
  /** [n][2] (unit: length per second) */
  readonly velocities?: ArrayLike<number>;
}

type ContactListener = (contact: Contact) => void;
type EndListener = (end: ContactEnd) => void;

/** Fits all tags, and bodies without one. */
export const any = '*';

function key(index: number, generation: number): string {
  return `${index}:${generation}`;
}

const tagNumbers = new Map<string, number>([['', 0]]);
const released = 0; // no world is kept there
const forgotten = new FinalizationRegistry((free: () => void) => free());

/**
 * Bodies that move and touch: what began, what stays, what ended, step by step.
 *
 * ```ts
 * await ready;
 * const world = new World();
 * const player = world.add({ shape: circle(16), tag: 'player' });
 * world.add({ shape: box(30, 30), position: { x: 20, y: 0 }, tag: 'food' });
 * world.onBegin('player', 'food', ({ b }) => b.remove());
 * world.step(1 / 60);
 * ```
 *
 * Errors are `BroadsideError`s with a sentence, and nothing changes then. Listeners may add, move and remove anything.
 * Everything that comes out is ascending by body, and depends on the calls made alone: not on the technique, the
 * machine or the browser; a native world that is told the same has the same `hash`.
 */
export class World {
  #handle: number;
  readonly #free: () => void;
  readonly #bodies: (Body | undefined)[] = [];
  #removed = new Map<string, Body>(); // by `key`, until the step that tells of their ends is over

  constructor(options: WorldOptions = {}) {
    const gravity = options.gravity ?? { x: 0, y: 0 };
    this.#handle = engine().world_make(
      options.interest === 'listeners',
      options.response === 'bounce',
      options.restitution ?? 1,
      gravity.x,
      gravity.y,
    );
    const handle = this.#handle;
    const { world_free } = engine(); // of the module that made it, whatever is loaded later
    this.#free = () => {
      setPredicate(handle, undefined);
      world_free(handle);
    };
    forgotten.register(this, this.#free, this);
    if (options.technique !== undefined) {
      this.setTechnique(options.technique, options.techniqueOptions);
    }
  }

  // Bodies.

  /** Adds a body. Seen by queries at once, by contacts from the next step on. */
  add(body: BodyOptions): Body {
    return this.addAll([body])[0] as Body;
  }

  /** Adds bodies, all or none. Static ones that are added together are put in place together, once. */
  addAll(bodies: readonly BodyOptions[]): Body[] {
    const numbers: number[] = [];
    for (const body of bodies) {
      pushBody(numbers, body, numberOf(body.type ?? 'dynamic'), this.tagNumber(body.tag ?? ''));
    }
    give(numbers);
    check(engine().world_add(this.handle, bodies.length));
    const ids = output();
    return bodies.map((options, i) => {
      const body = this.find(ids[2 * i] as number, ids[2 * i + 1] as number);
      body.userData = options.userData;
      return body;
    });
  }

  /** Adds circles, all or none: the quick way to very many. */
  addCircles(circles: CirclesOptions): BodyList {
    const { positions, radii, velocities } = circles;
    const n = Math.floor(positions.length / 2);
    for (const [name, has, needs] of [
      ['radii', typeof radii === 'number' ? n : radii.length, n],
      ['velocities', velocities?.length ?? 2 * n, 2 * n],
    ] as const) {
      if (has < needs) {
        throw new BroadsideError('invalid_argument', `${n} circles need ${needs} numbers in ${name}, not ${has}`);
      }
    }
    const numbers: number[] = [];
    pushBody(numbers, circles, numberOf(circles.type ?? 'dynamic'), this.tagNumber(circles.tag ?? ''));
    return new BodyList(this, n, (ids) =>
      withMemory(20 * n, (at) => {
        floatsAt(at, 2 * n).set(positions);
        if (typeof radii === 'number') {
          floatsAt(at + 8 * n, n).fill(radii);
        } else {
          floatsAt(at + 8 * n, n).set(radii);
        }
        if (velocities !== undefined) {
          floatsAt(at + 12 * n, 2 * n).set(velocities);
        }
        give(numbers);
        const speeds = velocities === undefined ? 0 : at + 12 * n;
        check(engine().world_add_circles(this.handle, at, at + 8 * n, speeds, n, ids));
      }),
    );
  }

  /** Removes a body, or several: all or none. Their contacts end in the next step. */
  remove(body: Body | readonly Body[]): void {
    const bodies = body instanceof Body ? [body] : body;
    for (const one of bodies) {
      if (one.world !== this) {
        throw new BroadsideError('wrong_world', `body ${one.index} is of another world`);
      }
    }
    withMemory(8 * bodies.length, (at) => {
      wordsAt(at, 2 * bodies.length).set(bodies.flatMap(({ index, generation }) => [index, generation]));
      check(engine().world_remove(this.handle, at, bodies.length));
    });
    for (const one of bodies) {
      this.#removed.set(key(one.index, one.generation), one);
    }
  }

  /** The number of bodies. */
  get size(): number {
    return engine().world_size(this.handle);
  }

  /** Returns all bodies, ascending. */
  bodies(): Body[] {
    engine().world_bodies(this.handle);
    return this.#read(2, output());
  }

  // Listening. A listener is called once for each way round in which the tags of a contact fit, with a and b in the
  // order of its tags, but once where both are the same. Each returns what removes it.

  /** Calls `listener` in each step in which such bodies touch. */
  onContact(tagA: string, tagB: string, listener: ContactListener): () => void {
    return this.#listen(0, tagA, tagB, (numbers) => listener(this.#contact(numbers, 0)));
  }

  /** Calls `listener` when such bodies begin to touch. */
  onBegin(tagA: string, tagB: string, listener: ContactListener): () => void {
    return this.#listen(1, tagA, tagB, (numbers) => listener(this.#contact(numbers, 0)));
  }

  /** Calls `listener` when such bodies no longer touch; b may be no more, a is always there. */
  onEnd(tagA: string, tagB: string, listener: EndListener): () => void {
    return this.#listen(2, tagA, tagB, (numbers) => listener(this.#end(numbers, 0)));
  }

  /** Asks `predicate` of each pair whose boxes touch; false keeps them apart. It must not change the world. */
  setPredicate(predicate: ((a: Body, b: Body) => boolean) | undefined): void {
    setPredicate(
      this.handle,
      predicate &&
        ((a, aGeneration, b, bGeneration) => predicate(this.find(a, aGeneration), this.find(b, bGeneration))),
    );
    check(engine().world_set_predicate(this.handle, predicate !== undefined));
  }

  // The step.

  /** Carries the world on. With 0 seconds nothing moves by itself, and only what touches is found out. */
  step(seconds: number): void {
    const told = [...this.#removed.keys()];
    calling(() => check(engine().world_step(this.handle, seconds)));
    for (const one of told) {
      this.#removed.delete(one);
    }
  }

  /** Runs one stage of a step, for who wants to put something between them. */
  stage(stage: 'accelerate' | 'detect' | 'tell' | 'respond' | 'move on', seconds = 0): void {
    const number = ['accelerate', 'detect', 'tell', 'respond', 'move on'].indexOf(stage);
    calling(() => check(engine().world_stage(this.handle, number, seconds)));
  }

  setGravity(gravity: Point): void {
    check(engine().world_set_gravity(this.handle, gravity.x, gravity.y));
  }

  // What the last step found. Valid until the next.

  /** Returns all contacts, or those that began or stayed. */
  contacts(which: 'all' | 'begun' | 'stayed' = 'all'): Contact[] {
    const number = ['all', 'begun', 'stayed'].indexOf(which);
    const count = engine().world_contact_count(this.handle, number);
    return Array.from({ length: count }, (_, i) => {
      engine().world_contact(this.handle, number, i);
      return this.#contact(output(), 0);
    });
  }

  /** The number of contacts. */
  get contactCount(): number {
    return engine().world_contact_count(this.handle, 0);
  }

  /**
   * Returns who touches whom in bulk: index and generation of a, then of b [p][4]. A view into the module's memory,
   * valid until the next call of the package.
   */
  contactPairs(): Uint32Array {
    const at = engine().world_contact_pairs(this.handle);
    return wordsAt(at, 4 * this.contactCount);
  }

  ended(): ContactEnd[] {
    engine().world_ended(this.handle);
    const numbers = output();
    return Array.from({ length: numbers.length / 5 }, (_, i) => this.#end(numbers, 5 * i));
  }

  /** Tells whether two bodies touched in the last step. */
  overlaps(a: Body, b: Body): boolean {
    this.#giveTwo(a, b);
    check(engine().world_overlaps(this.handle));
    return output()[0] === 1;
  }

  /** Returns the contacts of a body in the last step, ascending by the other one; the body is `a` of each. */
  contactsOf(body: Body): Contact[] {
    check(engine().world_contacts_of(this.handle, body.index, body.generation, body.world.number));
    const numbers = output();
    return Array.from({ length: numbers.length / contactNumbers }, (_, i) => {
      const contact = this.#contact(numbers, contactNumbers * i);
      return contact.a === body ? contact : turned(contact);
    });
  }

  /** Returns the bodies that the narrow phase has to compare a body with, where all are now. */
  candidates(body: Body): Body[] {
    check(engine().world_candidates(this.handle, body.index, body.generation, body.world.number));
    return this.#read(2, output());
  }

  /** Says in one sentence why two bodies touch or do not, where they are now. */
  why(a: Body, b: Body): string {
    this.#giveTwo(a, b);
    const at = engine().world_why(this.handle);
    return textAt(at, output()[0] ?? 0);
  }

  // Queries see the latest change, before and between steps, and leave out disabled bodies. `visit` is shown what is
  // found, and ends it by returning false; it may not change the world.

  /** Finds the bodies that touch a box along the axes, ascending. */
  queryArea(area: Aabb, options?: QueryOptions): Body[] {
    return this.#ask(question.area, options, (numbers) => this.#pushArea(numbers, area));
  }

  visitArea(area: Aabb, visit: (body: Body) => boolean | void, options?: QueryOptions): void {
    this.#show(question.area, options, (numbers) => this.#pushArea(numbers, area), visit, this.#first);
  }

  /** Finds the bodies that contain a point, ascending. */
  queryPoint(point: Point, options?: QueryOptions): Body[] {
    return this.#ask(question.point, options, (numbers) => pushPoint(numbers, point));
  }

  /** Finds the bodies that touch a shape, ascending. */
  queryShape(shape: Shape, at: Placement, options?: QueryOptions): Body[] {
    return this.#ask(question.shape, options, (numbers) => this.#pushPlaced(numbers, shape, at));
  }

  visitShape(shape: Shape, at: Placement, visit: (body: Body) => boolean | void, options?: QueryOptions): void {
    this.#show(question.shape, options, (numbers) => this.#pushPlaced(numbers, shape, at), visit, this.#first);
  }

  /** Finds the first body on a ray from `start` along `way`. */
  castRay(start: Point, way: Point, options?: QueryOptions): Hit | undefined {
    this.#asking(question.ray, options, (numbers) => numbers.push(start.x, start.y, way.x, way.y));
    const numbers = output();
    return numbers.length === 0 ? undefined : this.#hit(numbers);
  }

  /** Shows all bodies on a ray, by (time, body). */
  visitRay(start: Point, way: Point, visit: (hit: Hit) => boolean | void, options?: QueryOptions): void {
    const push = (numbers: number[]) => numbers.push(start.x, start.y, way.x, way.y);
    this.#show(question.ray, options, push, visit, this.#hit);
  }

  /** Finds the first body that a shape would meet on its way. */
  castShape(shape: Shape, at: Placement, motion: Point, options?: QueryOptions): Hit | undefined {
    this.#asking(question.cast, options, (numbers) => this.#pushPlaced(numbers, shape, at, motion));
    const numbers = output();
    return numbers.length === 0 ? undefined : this.#hit(numbers);
  }

  /** Shows all bodies that a shape would meet, if none stopped it, by (time, body). */
  visitCast(
    shape: Shape,
    at: Placement,
    motion: Point,
    visit: (hit: Hit) => boolean | void,
    options?: QueryOptions,
  ): void {
    this.#show(question.cast, options, (numbers) => this.#pushPlaced(numbers, shape, at, motion), visit, this.#hit);
  }

  /** Finds the `count` bodies that are nearest to a point, none farther than `maxDistance`, by (distance, body). */
  nearest(point: Point, count = 1, maxDistance = 3.4028234663852886e38, options?: QueryOptions): NearBody[] {
    this.#asking(question.nearest, options, (numbers) => numbers.push(point.x, point.y, count, maxDistance));
    const numbers = output();
    return Array.from({ length: numbers.length / 5 }, (_, i) => {
      const [index = 0, generation = 0, distance = 0, x = 0, y = 0] = numbers.subarray(5 * i, 5 * i + 5);
      return { body: this.find(index, generation), distance, point: { x, y } };
    });
  }

  /**
   * Moves a body by `motion` as a player moves: along walls and floors, over the seams of their tiles, never into
   * anything, but first out of what it is in.
   */
  moveAndSlide(body: Body, motion: Point, options: SlideOptions = {}): SlideResult {
    const { meet } = options;
    const decide = (numbers: Float64Array) => (meet ? meetings.indexOf(meet(this.#obstacle(numbers, 0))) : 0);
    deciding(decide, () => {
      give([...this.#idOf(body), motion.x, motion.y, options.mostHits ?? 8, options.skin ?? 0]);
      check(engine().world_move_and_slide(this.handle, meet !== undefined));
    });
    const numbers = output();
    const [x = 0, y = 0, restX = 0, restY = 0] = numbers;
    const hits = Array.from({ length: (numbers.length - 4) / 10 }, (_, i) => ({
      ...this.#obstacle(numbers, 4 + 10 * i),
      meeting: meetings[numbers[13 + 10 * i] as number] as Meeting,
    }));
    return { position: { x, y }, rest: { x: restX, y: restY }, hits };
  }

  // How it works.

  /** Changes the technique of the broad phase: the cost, never an answer. */
  setTechnique(technique: TechniqueName, options: TechniqueOptions = {}): void {
    withText(technique, (at, size) => {
      giveTechniqueOptions(options);
      check(engine().world_set_technique(this.handle, at, size));
    });
  }

  /** Switches on or off that the statistics tell how long things took. */
  measureTimes(on: boolean): void {
    engine().world_measure_times(this.handle, on);
  }

  /** Returns what the broad phase did in the last step. */
  statistics(): Statistics {
    return readStatistics(engine().world_broad_phase(this.handle));
  }

  /** Returns the occupied cells of the broad phase, for drawing. */
  cells(): Cell[] {
    return readCells(engine().world_broad_phase(this.handle));
  }

  /** The bytes held, contacts and events included. */
  get bytes(): number {
    return engine().world_bytes(this.handle);
  }

  // The whole state.

  /** Returns the whole state but listeners, predicate and user data: the same for the same calls, on any machine. */
  snapshot(): Uint8Array {
    const at = engine().world_snapshot(this.handle);
    return bytesAt(at, output()[0] ?? 0).slice();
  }

  /** Becomes the world that `snapshot` was taken of, and goes on bit for bit as that one would have. */
  restore(snapshot: Uint8Array): void {
    withMemory(snapshot.length, (at) => {
      bytesAt(at, snapshot.length).set(snapshot);
      check(engine().world_restore(this.handle, at, snapshot.length));
    });
  }

  /** Returns a hash of the whole state: equal states have equal hashes, here and in native programs. */
  hash(): bigint {
    return BigInt.asUintN(64, engine().world_hash(this.handle));
  }

  /**
   * Gives the memory back now, not when the garbage collector finds the world: for who makes big ones in a row. All
   * that is asked of it afterwards is the error `stale_id`. A `BodyList` has memory of its own, and a `release`
   * too.
   *
   * @throws BroadsideError `locked` from within a callback
   */
  release(): void {
    if (isCalling()) {
      throw new BroadsideError('locked', 'no world can be released from within a callback');
    }
    if (this.#handle !== released) {
      forgotten.unregister(this);
      this.#free();
      this.#handle = released;
    }
  }

  // For the package alone.

  /** @internal Where the module keeps it. */
  get handle(): number {
    if (this.#handle === released) {
      throw new BroadsideError('stale_id', 'this world was released');
    }
    return this.#handle;
  }

  /** @internal */
  get number(): number {
    return engine().world_number(this.handle);
  }

  /** @internal Returns the body of that id. */
  find(index: number, generation: number): Body {
    const known = this.#bodies[index];
    if (known?.generation === generation) {
      return known;
    }
    const gone = this.#removed.get(key(index, generation));
    if (gone !== undefined) {
      return gone;
    }
    const body = new Body(this, index, generation);
    if (body.alive) {
      this.#bodies[index] = body;
    }
    return body;
  }

  /** @internal */
  change(what: number, numbers: number[]): void {
    give(numbers);
    check(engine().world_change(this.handle, what));
  }

  /** @internal Returns the number that the module knows a tag by. */
  tagNumber(tag: string): number {
    let number = tagNumbers.get(tag);
    if (number === undefined) {
      number = withText(tag, (at, size) => engine().tag_number(at, size));
      tagNumbers.set(tag, number);
    }
    return number;
  }

  #listen(what: number, tagA: string, tagB: string, told: (numbers: Float64Array) => void): () => void {
    const number = listen(told);
    const id = engine().world_listen(this.handle, what, this.tagNumber(tagA), this.tagNumber(tagB), number);
    return () => {
      unlisten(number);
      engine().world_unlisten(this.handle, id);
    };
  }

  #idOf(body: Body | undefined): [number, number, number] {
    return body === undefined ? [0, 0, 0] : [body.index, body.generation, body.world.number];
  }

  #giveTwo(a: Body, b: Body): void {
    give([...this.#idOf(a), ...this.#idOf(b)]);
  }

  #asking(
    number: number,
    options: QueryOptions | undefined,
    push: (numbers: number[]) => void,
    visit?: (numbers: Float64Array) => boolean,
  ): void {
    const numbers: number[] = [];
    pushFilter(numbers, options?.filter);
    for (const wanted of [options?.staticBodies, options?.kinematicBodies, options?.dynamicBodies, options?.sensors]) {
      numbers.push(wanted === false ? 0 : 1);
    }
    numbers.push(...this.#idOf(options?.except));
    push(numbers);
    give(numbers);
    const ask = () => check(engine().world_query(this.handle, number, visit !== undefined));
    if (visit === undefined) {
      ask();
    } else {
      visiting(visit, ask);
    }
  }

  #ask(number: number, options: QueryOptions | undefined, push: (numbers: number[]) => void): Body[] {
    this.#asking(number, options, push);
    return this.#read(2, output());
  }

  #show<T>(
    number: number,
    options: QueryOptions | undefined,
    push: (numbers: number[]) => void,
    visit: (one: T) => boolean | void,
    read: (numbers: Float64Array) => T,
  ): void {
    this.#asking(number, options, push, (numbers) => visit(read(numbers)) !== false);
  }

  #pushArea(numbers: number[], area: Aabb): void {
    pushPoint(numbers, area.min);
    pushPoint(numbers, area.max);
  }

  #pushPlaced(numbers: number[], shape: Shape, at: Placement, motion?: Point): void {
    pushPoint(numbers, at);
    pushTurn(numbers, at);
    if (motion !== undefined) {
      pushPoint(numbers, motion);
    }
    pushShape(numbers, shape);
  }

  readonly #first = (numbers: Float64Array): Body => this.find(numbers[0] as number, numbers[1] as number);

  readonly #hit = (numbers: Float64Array): Hit => {
    const [index = 0, generation = 0, time = 0, normalX = 0, normalY = 0, x = 0, y = 0] = numbers;
    return {
      body: this.find(index, generation),
      time,
      normal: { x: normalX, y: normalY },
      point: { x, y },
    };
  };

  #obstacle(numbers: Float64Array, i: number): Obstacle {
    const at = (k: number) => numbers[i + k] as number;
    return {
      body: this.find(at(0), at(1)),
      normal: { x: at(2), y: at(3) },
      point: { x: at(4), y: at(5) },
      motion: { x: at(6), y: at(7) },
      depth: at(8),
    };
  }

  #contact(numbers: Float64Array, i: number): Contact {
    return readContact(numbers, i, (index, generation) => this.find(index, generation));
  }

  #end(numbers: Float64Array, i: number): ContactEnd {
    const at = (k: number) => numbers[i + k] as number;
    return { a: this.find(at(0), at(1)), b: this.find(at(2), at(3)), cause: endCauses[at(4)] as EndCause };
  }

  #read(step: number, numbers: Float64Array): Body[] {
    return Array.from({ length: numbers.length / step }, (_, i) =>
      this.find(numbers[step * i] as number, numbers[step * i + 1] as number),
    );
  }
}
