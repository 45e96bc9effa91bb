import { Body, idOf, origin, pushBody, type BodyOptions } from './body.js';
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
  contactArrays,
  contactAt,
  endArrays,
  endAt,
  swapped,
  written,
  type Contact,
  type ContactArrays,
  type ContactEnd,
  type EndArrays,
  type Written,
} from './contact.js';
import {
  bytesAt,
  check,
  engine,
  floatsAt,
  give,
  output,
  pushOption,
  pushPoint,
  rangeAt,
  textAt,
  withMemory,
  withText,
  wordsAt,
} from './engine.js';
import { BroadsideError, expectCount, expectFunction, placeOf } from './errors.js';
import { refuseWrongTypes, refusing } from './refusing.js';
import type { Point } from './geometry.js';
import { calling, isCalling, listen, setPredicate, unlisten, type Listeners, type Predicate } from './listening.js';
import { Queries } from './queries.js';
import type { CirclesOptions, WorldOptions } from './world_options.js';

/** All contacts, or those that began or stayed in the last step. */
export type WhichContacts = 'all' | 'begun' | 'stayed';
/** A function that is called for two bodies that touch. */
export type ContactListener = (contact: Contact) => void;
/** A function that is called for two bodies that no longer touch. */
export type EndListener = (end: ContactEnd) => void;

/** Matches all tags, and bodies without a tag. */
export const any = '*';

function key(index: number, generation: number): string {
  return `${index}:${generation}`;
}

const tagNumbers = new Map<string, number>([['', 0]]);

function giveOptions(options: WorldOptions): void {
  const { order } = options;
  const numbers = [
    placeOf(['all', 'listeners'], options.interest ?? 'all', 'interest'),
    placeOf(['none', 'bounce'], options.response ?? 'none', 'response'),
  ];
  pushPoint(numbers, options.gravity ?? origin);
  pushOption(numbers, order === undefined ? undefined : placeOf(['detect first', 'motion first'], order, 'order'));
  pushOption(numbers, options.restitution);
  pushOption(numbers, options.endMargin);
  give(numbers);
}

/**
 * Bodies that move and touch, with events: which contacts begin, stay and end in each step.
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
 * Errors are `BroadsideError`s with a sentence; on error nothing has changed. Listeners may add, move and remove
 * anything. All results are ascending by body, and depend only on the calls made: not on the technique, the machine or
 * the browser. A native world with the same calls has the same `hash`.
 */
export class World extends Queries {
  readonly #handle: number;
  #number: number; // kept here, as each access to a body needs it
  readonly #listeners: Listeners = new Map();
  readonly #listening = new Set<number>(); // their numbers, without the callbacks, which refer to this
  #predicate: Predicate | undefined; // kept here alone
  readonly #bodies: (Body | undefined)[] = [];
  #removed = new Map<string, Body>(); // by `key`, as long as `ended` may return them
  #reported: string[] = []; // those whose ends the last step reported
  readonly #find = (index: number, generation: number) => this.find(index, generation);
  readonly #firstContact = () => contactAt(written(), 0, this.#find);

  constructor(options: WorldOptions = {}) {
    super();
    refusing('new World', () => giveOptions(options));
    this.#handle = engine().world_make();
    if (this.#handle === 0) {
      check(output()[0] ?? 0);
    }
    const handle = this.#handle;
    this.#number = engine().world_number(handle);
    const listening = this.#listening;
    this.hold(() => {
      setPredicate(handle, undefined);
      listening.forEach(unlisten);
      engine().world_free(handle);
    });
    if (options.technique !== undefined) {
      this.setTechnique(options.technique, options.techniqueOptions);
    }
  }

  // Bodies.

  /** Adds a body. Queries find it at once, contacts begin in the next step. */
  add(body: BodyOptions): Body {
    return this.addAll([body])[0] as Body;
  }

  /** Adds bodies, all or none. Static bodies that are added together are inserted together, once. */
  addAll(bodies: readonly BodyOptions[]): Body[] {
    const numbers: number[] = [];
    for (const body of bodies) {
      pushBody(numbers, body, numberOf(body.type ?? 'dynamic'), this.tagNumber(body.tag ?? ''));
    }
    give(numbers);
    check(engine().world_add(this.handle, bodies.length));
    const ids = output();
    return Array.from(bodies, (options, i) => {
      const body = this.find(ids[2 * i] as number, ids[2 * i + 1] as number);
      body.userData = options.userData;
      return body;
    });
  }

  /** Adds circles in bulk, all or none: for very many bodies. */
  addCircles(circles: CirclesOptions): BodyList {
    const { positions, radii, velocities } = circles;
    const n = Math.ceil(positions.length / 2);
    expectCount('positions', positions, 2 * n);
    if (typeof radii !== 'number') {
      expectCount('radii', radii, n);
    }
    if (velocities !== undefined) {
      expectCount('velocities', velocities, 2 * n);
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

  /**
   * Returns a list of bodies of this world, to read or move them together. After one of them was removed, its calls
   * throw `stale_id`.
   */
  list(bodies: readonly Body[]): BodyList {
    return new BodyList(this, bodies.length, (at) => this.#putIds(at, bodies));
  }

  /** Removes a body, or several: all or none. Their contacts end in the next step. */
  remove(body: Body | readonly Body[]): void {
    const bodies = body instanceof Body ? [body] : body;
    withMemory(8 * bodies.length, (at) => {
      this.#putIds(at, bodies);
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
    return this.readBodies();
  }

  // Listening. A listener is called once per matching order of the two tags of a contact, with a and b in the order of
  // its tags; if both its tags are the same, it is called once. Each of these returns a function that removes the
  // listener.

  /** Calls `listener` in each step in which bodies with these tags touch. */
  onContact(tagA: string, tagB: string, listener: ContactListener): () => void {
    return this.#listen(0, tagA, tagB, listener, this.#firstContact);
  }

  /** Calls `listener` when bodies with these tags begin to touch. */
  onBegin(tagA: string, tagB: string, listener: ContactListener): () => void {
    return this.#listen(1, tagA, tagB, listener, this.#firstContact);
  }

  /** Calls `listener` in each step in which bodies with these tags touch and touched in the step before. */
  onStay(tagA: string, tagB: string, listener: ContactListener): () => void {
    return this.#listen(3, tagA, tagB, listener, this.#firstContact);
  }

  /** Calls `listener` when bodies with these tags no longer touch; b may have been removed, a still exists. */
  onEnd(tagA: string, tagB: string, listener: EndListener): () => void {
    return this.#listen(2, tagA, tagB, listener, () => endAt(written(), 0, this.#find));
  }

  /** Calls `predicate` for each pair whose boxes touch; false prevents a contact. It must not change the world. */
  setPredicate(predicate: ((a: Body, b: Body) => boolean) | undefined): void {
    if (predicate !== undefined) {
      expectFunction('predicate', predicate);
    }
    this.#predicate = predicate && {
      ask: (a, aGeneration, b, bGeneration) => predicate(this.find(a, aGeneration), this.find(b, bGeneration)),
    };
    setPredicate(this.handle, this.#predicate);
    check(engine().world_set_predicate(this.handle, predicate !== undefined));
  }

  // The step.

  /**
   * Advances the world by `seconds`: detect, dispatch, respond, integrate; with `motion first` integrate, detect,
   * dispatch, respond. With 0 seconds nothing moves by itself, and only contacts are found.
   *
   * Any sequence of step lengths gives the same motion: velocities and positions follow the formulas for constant
   * acceleration.
   *
   * @throws BroadsideError `invalid_argument` for seconds that are negative or not finite, `locked` from within a
   * callback, `not_finite` if a body would leave the range of float. Nothing changes then.
   */
  step(seconds: number): void {
    const removed = [...this.#removed.keys()];
    calling(() => check(engine().world_step(this.handle, seconds)));
    for (const one of this.#reported) {
      this.#removed.delete(one);
    }
    this.#reported = removed;
  }

  /** Runs one stage of a step, for callers that run code between them. With `bounce`, `integrate` comes first. */
  stage(stage: 'detect' | 'dispatch' | 'respond' | 'integrate', seconds = 0): void {
    const number = placeOf(['detect', 'dispatch', 'respond', 'integrate'], stage, 'stage');
    calling(() => check(engine().world_stage(this.handle, number, seconds)));
  }

  /** Prevents the response to the contact of two bodies in this step; for listeners. */
  skipResponse(a: Body, b: Body): void {
    this.#giveTwo(a, b);
    check(engine().world_skip_response(this.handle));
  }

  /** Sets the gravity, which accelerates dynamic bodies (unit: length per second squared). */
  setGravity(gravity: Point): void {
    const numbers: number[] = [];
    pushPoint(numbers, gravity);
    check(engine().world_set_gravity(this.handle, ...(numbers as [number, number])));
  }

  // Results of the last step. Valid until the next step.

  /** Returns all contacts, or those that began or stayed. */
  contacts(which: WhichContacts = 'all'): Contact[] {
    this.#writeContacts(which);
    return this.#contacts(written());
  }

  /** Returns all contacts, or those that began or stayed, as arrays: for thousands of them. */
  readContacts(which: WhichContacts = 'all'): ContactArrays {
    this.#writeContacts(which);
    return contactArrays(written());
  }

  /** The number of contacts. */
  get contactCount(): number {
    return engine().world_contact_count(this.handle);
  }

  /** Returns the pairs that touched in the step before, and no longer do. */
  ended(): ContactEnd[] {
    engine().world_ended(this.handle);
    const ends = written();
    return Array.from({ length: ends[0] }, (_, i) => endAt(ends, i, this.#find));
  }

  /** Returns the same pairs as arrays. */
  readEnded(): EndArrays {
    engine().world_ended(this.handle);
    return endArrays(written());
  }

  /** Tells whether two bodies touched in the last step. */
  touching(a: Body, b: Body): boolean {
    this.#giveTwo(a, b);
    check(engine().world_touching(this.handle));
    return output()[0] === 1;
  }

  /** Returns the contacts of a body in the last step, ascending by the other body; the body is `a` of each. */
  contactsOf(body: Body): Contact[] {
    check(engine().world_contacts_of(this.handle, body.index, body.generation, body.world.number));
    return this.#contacts(written()).map((contact) => (contact.a === body ? contact : swapped(contact)));
  }

  /** Returns a sentence that says why two bodies touch or do not, at their present positions. */
  why(a: Body, b: Body): string {
    this.#giveTwo(a, b);
    const { at, size } = rangeAt(engine().world_why(this.handle));
    return textAt(at, size);
  }

  // The broad phase.

  /** Changes the technique of the broad phase, which changes the cost, never a result. */
  setTechnique(technique: TechniqueName, options: TechniqueOptions = {}): void {
    withText(technique, (at, size) => {
      giveTechniqueOptions(options);
      check(engine().world_set_technique(this.handle, at, size));
    });
  }

  /** Enables or disables the times in the statistics. */
  measureTimes(on: boolean): void {
    engine().world_measure_times(this.handle, on);
  }

  /** Returns the counters of the broad phase for the last step, and its sizes. */
  statistics(): Statistics {
    return readStatistics(engine().world_broad_phase(this.handle));
  }

  /** Returns the occupied cells of the broad phase, for drawing. */
  cells(): Cell[] {
    return readCells(engine().world_broad_phase(this.handle));
  }

  /** Enables or disables the counters of `queryCells`, and resets them. Disabled at first. */
  watchQueries(on: boolean): void {
    engine().world_watch_queries(this.handle, on);
  }

  /**
   * Returns the cells or nodes that queries visit, for drawing, with the number of visits by watched queries since the
   * last change: the cells of the two grids; the tree nodes of 'hierarchical-grid', where a watched query builds the
   * tree if there are 64 boxes or more. Empty for the other techniques, whose queries visit all boxes.
   */
  queryCells(): Cell[] {
    return readCells(engine().world_broad_phase(this.handle), true);
  }

  /** The memory used, contacts and events included (unit: byte). */
  get bytes(): number {
    return engine().world_bytes(this.handle);
  }

  // The whole state.

  /** Returns the state without listeners, predicate and user data: the same on any machine for the same calls. */
  snapshot(): Uint8Array {
    const { at, size } = rangeAt(engine().world_snapshot(this.handle));
    return bytesAt(at, size).slice();
  }

  /** Restores the state of `snapshot`; the world then continues bit for bit as the original would have. */
  restore(snapshot: Uint8Array): void {
    withMemory(snapshot.length, (at) => {
      bytesAt(at, snapshot.length).set(snapshot);
      check(engine().world_restore(this.handle, at, snapshot.length));
    });
    this.#number = engine().world_number(this.handle);
  }

  /** Returns a hash of the whole state: equal states have equal hashes, here and in native programs. */
  hash(): bigint {
    return BigInt.asUintN(64, engine().world_hash(this.handle));
  }

  /**
   * Frees the memory now, not when the garbage collector finds the world: for programs that make large worlds one after
   * another. Afterwards all accesses throw `stale_id`. A `BodyList` has its own memory, and its own `release`.
   *
   * @throws BroadsideError `locked` from within a callback
   */
  override release(): void {
    if (isCalling()) {
      throw new BroadsideError('locked', 'no world can be released from within a callback');
    }
    super.release();
  }

  // Internal to the package.

  /** @internal */
  override get handle(): number {
    this.expectHeld('world');
    return this.#handle;
  }

  /** @internal Part of the ids of its bodies in the module. */
  get number(): number {
    return this.#number;
  }

  /** @internal */
  override find(index: number, generation: number): Body {
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

  /** @internal Returns the module's number of a tag. */
  tagNumber(tag: string): number {
    let number = tagNumbers.get(tag);
    if (number === undefined) {
      number = withText(tag, (at, size) => engine().tag_number(at, size));
      tagNumbers.set(tag, number);
    }
    return number;
  }

  /** Writes the indices and generations of bodies [n] of this world to the memory: [n][2]. */
  #putIds(at: number, bodies: readonly Body[]): void {
    const ids = wordsAt(at, 2 * bodies.length);
    bodies.forEach(({ world, index, generation }, i) => {
      if (world !== this) {
        throw new BroadsideError('wrong_world', `body ${index} is of another world`);
      }
      ids.set([index, generation], 2 * i);
    });
  }

  #listen<T>(what: number, tagA: string, tagB: string, listener: (one: T) => void, read: () => T): () => void {
    expectFunction('listener', listener);
    const tags = [this.tagNumber(tagA), this.tagNumber(tagB)] as const;
    const { handle } = this; // throws if the world was released, before anything is kept
    const number = listen(this.#listeners, () => listener(read()));
    this.#listening.add(number);
    const id = engine().world_listen(handle, what, ...tags, number);
    return () => {
      this.#listeners.delete(number);
      this.#listening.delete(number);
      unlisten(number);
      engine().world_unlisten(this.handle, id);
    };
  }

  #giveTwo(a: Body, b: Body): void {
    give([...idOf(a), ...idOf(b)]);
  }

  #writeContacts(which: WhichContacts): void {
    engine().world_contacts(this.handle, placeOf(['all', 'begun', 'stayed'], which, 'kind of contacts'));
  }

  #contacts(all: Written): Contact[] {
    return Array.from({ length: all[0] }, (_, i) => contactAt(all, i, this.#find));
  }
}

refuseWrongTypes(World, 'find', 'change');
