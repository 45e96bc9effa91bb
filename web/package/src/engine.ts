import { BroadsideError, invalid, type ErrorCode } from './errors.js';
import type { Aabb, Point, Placement } from './geometry.js';

/** The exports of the module; they are described in adapters/wasm of the C++ sources. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  input_room(count: number): number;
  output_at(): number;
  error_at(): number;
  error_size(): number;
  error_name_at(code: number): number;
  error_name_size(code: number): number;
  allocate(bytes: number): number;
  release(at: number): void;
  rotation_by(angle: number): number;
  find_pairs(boxes: number, n: number, sorted: boolean, maxPairs: number): number;
  pairs_found(): number;
  technique_names(): number;
  broad_phase_make(name: number, size: number): number;
  broad_phase_free(phase: number): void;
  broad_phase_add(phase: number, boxes: number, n: number, type: number): number;
  broad_phase_move(phase: number, indices: number, boxes: number, n: number): number;
  broad_phase_remove(phase: number, index: number): number;
  broad_phase_set_filter(phase: number, index: number): number;
  broad_phase_find_pairs(phase: number): number;
  broad_phase_query_area(phase: number): number;
  broad_phase_statistics(phase: number): void;
  broad_phase_cells(phase: number, ofQueries: boolean): void;
  tag_number(name: number, size: number): number;
  world_make(): number;
  world_free(world: number): void;
  world_number(world: number): number;
  world_size(world: number): number;
  world_add(world: number, n: number): number;
  world_add_circles(
    world: number,
    positions: number,
    radii: number,
    velocities: number,
    n: number,
    ids: number,
  ): number;
  world_remove(world: number, ids: number, n: number): number;
  world_contains(world: number, index: number, generation: number, number: number): number;
  world_bodies(world: number): void;
  world_positions(world: number, ids: number, n: number, positions: number): number;
  world_transforms(world: number, ids: number, n: number, transforms: number): number;
  world_velocities(world: number, ids: number, n: number, velocities: number): number;
  world_move_all(world: number, ids: number, n: number, positions: number): number;
  world_set_velocities(world: number, ids: number, n: number, velocities: number): number;
  world_change(world: number, what: number): number;
  world_change_vector(
    world: number,
    index: number,
    generation: number,
    number: number,
    what: number,
    x: number,
    y: number,
  ): number;
  four_floats_at(): number;
  world_transform(world: number, index: number, generation: number, number: number): number;
  world_motion(world: number, index: number, generation: number, number: number): number;
  world_body(world: number, index: number, generation: number, number: number): number;
  world_filter(world: number, index: number, generation: number, number: number): number;
  world_shapes(world: number, index: number, generation: number, number: number): number;
  world_tag(world: number, index: number, generation: number, number: number): number;
  world_listen(world: number, what: number, a: number, b: number, listener: number): number;
  world_unlisten(world: number, listener: number): number;
  world_set_predicate(world: number, ask: boolean): number;
  world_step(world: number, seconds: number): number;
  world_stage(world: number, stage: number, seconds: number): number;
  world_skip_response(world: number): number;
  world_set_gravity(world: number, x: number, y: number): number;
  world_contact_count(world: number): number;
  world_contacts(world: number, which: number): void;
  world_ended(world: number): void;
  world_contacts_of(world: number, index: number, generation: number, number: number): number;
  world_touching(world: number): number;
  world_why(world: number): number;
  world_query(world: number, question: number, visits: boolean): number;
  world_query_many(world: number, questions: number, n: number, rays: boolean): number;
  world_candidates(world: number, index: number, generation: number, number: number): number;
  world_move_and_slide(world: number, asks: boolean): number;
  world_set_technique(world: number, name: number, size: number): number;
  world_broad_phase(world: number): number;
  world_measure_times(world: number, on: boolean): void;
  world_watch_queries(world: number, on: boolean): void;
  world_snapshot(world: number): number;
  world_restore(world: number, bytes: number, size: number): number;
  world_hash(world: number): bigint;
  world_bytes(world: number): number;
  output_size(): number;
}

/** The functions that the module calls; listening.ts provides those of worlds. */
export interface Imports {
  report_contact(listener: number): void;
  report_end(listener: number): void;
  pair_asked(world: number, a: number, aGeneration: number, b: number, bGeneration: number): number;
  found(): number;
  respond_to_obstacle(): number;
}

let loaded: Exports | undefined;
let starting: Promise<void> | undefined;
let failure: unknown; // of the module

/** Returns the module; throws `not_ready` before it is loaded. */
export function engine(): Exports {
  if (loaded === undefined) {
    throw new BroadsideError('not_ready', 'broadside is not loaded yet: `await ready` first');
  }
  return loaded;
}

/** Tells whether the module is loaded. */
export function isReady(): boolean {
  return loaded !== undefined;
}

const callbacks: Imports = {
  report_contact: () => {},
  report_end: () => {},
  pair_asked: () => 1,
  found: () => 0,
  respond_to_obstacle: () => 0,
};

/** Sets the functions that the module calls. */
export function answerWith(imports: Imports): void {
  Object.assign(callbacks, imports);
}

/** Returns the shortest decimal text of a float, or one with `digits` digits if that is not 0. */
function numberText(number: number, digits: number): string {
  for (let tried = digits || 1; tried < 9; ++tried) {
    const text = String(Number(number.toPrecision(tried)));
    if (digits !== 0 || Math.fround(Number(text)) === number) {
      return text;
    }
  }
  return String(Number(number.toPrecision(9)));
}

const isEasyNumber = (value: unknown) => value === undefined || ['number', 'boolean'].includes(typeof value);

/**
 * Returns the exports of a module, made so that a trap, after which its state is unknown, throws `broken`, as does each
 * later call. No function has more than seven parameters. Callbacks throw nothing: see listening.ts. An argument that
 * cannot be made a number throws before the module is entered.
 */
function guarded(exports: WebAssembly.Exports): Exports {
  const all: Record<string, unknown> = { memory: exports.memory };
  for (const [name, call] of Object.entries(exports)) {
    if (typeof call === 'function') {
      all[name] = (a: unknown, b: unknown, c: unknown, d: unknown, e: unknown, f: unknown, g: unknown): unknown => {
        if (failure === undefined) {
          try {
            return call(a, b, c, d, e, f, g);
          } catch (error) {
            if (!(error instanceof WebAssembly.RuntimeError) && ![a, b, c, d, e, f, g].every(isEasyNumber)) {
              throw error;
            }
            failure = error;
          }
        }
        throw new BroadsideError('broken', `no memory left, or a defect (${failure}): load the page again`);
      };
    }
  }
  return all as unknown as Exports;
}

// The smallest module with SIMD: the type () -> v128. WebAssembly core specification 2.0, section 5 (binary format).
const probe = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 5, 1, 0x60, 0, 1, 0x7b]);

/** Tells whether this engine runs modules with 128-bit SIMD. */
export function hasSimd(): boolean {
  return WebAssembly.validate(probe);
}

/** Instantiates the module, unless there is one: objects that it made live in its memory. */
export function start(module: WebAssembly.Module): Promise<void> {
  starting ??= instantiate(module).catch((error: unknown) => {
    starting = undefined;
    throw error;
  });
  return starting;
}

async function instantiate(module: WebAssembly.Module): Promise<void> {
  const instance = await WebAssembly.instantiate(module, {
    broadside: {
      report_contact: (listener: number) => callbacks.report_contact(listener),
      report_end: (listener: number) => callbacks.report_end(listener),
      pair_asked: (world: number, a: number, aGeneration: number, b: number, bGeneration: number) =>
        callbacks.pair_asked(world >>> 0, a >>> 0, aGeneration >>> 0, b >>> 0, bGeneration >>> 0),
      found: () => callbacks.found(),
      respond_to_obstacle: () => callbacks.respond_to_obstacle(),
      number_text: (number: number, digits: number, at: number) =>
        encoder.encodeInto(numberText(number, digits), bytesAt(at, 32)).written,
      milliseconds: () => performance.now(),
    },
  });
  loaded = guarded(instance.exports);
  words = new Uint32Array(0);
  loaded._initialize();
  fourFloats = loaded.four_floats_at() >>> 2;
}

// The memory when it was last read: reading `memory.buffer` takes longer than many of the calls.
let buffer = new ArrayBuffer(0);
let words = new Uint32Array(buffer);
let doubles = new Float64Array(buffer);
let floats = new Float32Array(buffer);
let fourFloats = 0; // the place of those that `world_transform` and `world_motion` read

/** Returns the current memory: when it grows, the old buffer is detached and its views become empty. */
function memory(): ArrayBuffer {
  if (words.length === 0) {
    buffer = engine().memory.buffer;
    words = new Uint32Array(buffer);
    doubles = new Float64Array(buffer);
    floats = new Float32Array(buffer);
  }
  return buffer;
}

// Views of the memory. It may grow in any call, so views are created each time, and these are used up before the next.

export function allWords(): Uint32Array {
  memory();
  return words;
}

export function allFloats(): Float32Array {
  memory();
  return floats;
}

export function floatsAt(at: number, count: number): Float32Array {
  return new Float32Array(memory(), at, count);
}

export function wordsAt(at: number, count: number): Uint32Array {
  return new Uint32Array(memory(), at, count);
}

export function bytesAt(at: number, count: number): Uint8Array {
  return new Uint8Array(memory(), at, count);
}

// Making a view takes longer than reading a few numbers, so these use the one of the whole memory.

function outputPlace(): number {
  const place = engine().output_at() >>> 3;
  memory();
  return place;
}

/** Returns the numbers that the last call wrote, as a copy. */
export function output(): number[] {
  const place = outputPlace();
  const numbers: number[] = [];
  for (let i = 0, size = engine().output_size(); i < size; ++i) {
    numbers.push(doubles[place + i]!);
  }
  return numbers;
}

/** Returns a number that the last call wrote. */
export function outputNumber(i: number): number {
  const at = outputPlace() + i; // first, as it may replace `doubles`
  return doubles[at]!;
}

/** Returns a point whose x is at `i` among the numbers that the last call wrote. */
export function outputPoint(i: number): Point {
  const at = outputPlace() + i;
  return { x: doubles[at]!, y: doubles[at + 1]! };
}

/** Returns one of the four floats that the last call read. */
export function floatRead(i: number): number {
  memory();
  return floats[fourFloats + i]!;
}

/** Returns a point whose x is at `i` among these. */
export function pointRead(i: number): Point {
  memory();
  return { x: floats[fourFloats + i]!, y: floats[fourFloats + i + 1]! };
}

/** Reads an address and a size, which the module has written as two words at `address`. */
export function rangeAt(address: number): { at: number; size: number } {
  memory();
  const first = address >>> 2;
  return { at: words[first] as number, size: words[first + 1] as number };
}

/** Throws `invalid_argument` unless a number is whole and fits into 32 bits. */
export function expectIndex(index: number): void {
  if (index >>> 0 !== index) {
    throw invalid(`${index} is no index`);
  }
}

const few = 32; // up to this many numbers, a loop is faster than `set`

/** Copies whole numbers into the memory; throws `invalid_argument` for others. */
export function putWords(at: number, numbers: ArrayLike<number>): void {
  memory();
  const first = at >>> 2;
  if (numbers instanceof Uint32Array && numbers.length > few) {
    words.set(numbers, first);
    return;
  }
  for (let i = 0; i < numbers.length; ++i) {
    const index = numbers[i] as number;
    expectIndex(index);
    words[first + i] = index;
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function textAt(at: number, size: number): string {
  return decoder.decode(bytesAt(at, size));
}

/** Throws the error with the code that a call returned; 0 is none. */
export function check(code: number): void {
  if (code !== 0) {
    const e = engine();
    const name = textAt(e.error_name_at(code), e.error_name_size(code)) as ErrorCode;
    throw new BroadsideError(name, textAt(e.error_at(), e.error_size()));
  }
}

/** Passes numbers to the next call. */
export function give(numbers: ArrayLike<number>): void {
  expectRoom(8 * numbers.length);
  const place = engine().input_room(numbers.length) >>> 3;
  memory();
  if (numbers.length > few) {
    doubles.set(numbers, place);
    return;
  }
  for (let i = 0; i < numbers.length; ++i) {
    doubles[place + i] = numbers[i]!;
  }
}

const none = 0;

/** Calls `use` with the address of temporary module memory; throws `too_large` if there is none left. */
export function withMemory<T>(bytes: number, use: (at: number) => T): T {
  if (bytes === 0) {
    return use(none);
  }
  const at = allocate(bytes);
  try {
    return use(at);
  } finally {
    engine().release(at);
  }
}

/** Throws `too_large` for more bytes than there are addresses, and for a number that the module would misread. */
function expectRoom(bytes: number, isThere = bytes <= 0xffffffff): void {
  if (!isThere) {
    throw new BroadsideError('too_large', `no memory for ${bytes} more bytes`);
  }
}

export function allocate(bytes: number): number {
  expectRoom(bytes);
  const at = engine().allocate(bytes) >>> 0;
  expectRoom(bytes, at !== none);
  return at;
}

const forgotten = new FinalizationRegistry((free: () => void) => free());

/** Something in the module's memory. */
export abstract class Held {
  #free: (() => void) | undefined;

  /** @internal Sets how to free the memory, once: `free` must not refer to this, which would never be collected. */
  protected hold(free: () => void): void {
    const freeing = () => {
      if (failure === undefined) {
        free();
      }
    };
    this.#free = freeing;
    forgotten.register(this, freeing, this);
  }

  /**
   * Frees the memory now, not when the garbage collector finds that nobody uses it any more. Afterwards all accesses
   * throw `stale_id`.
   */
  release(): void {
    const free = this.#free;
    this.#free = undefined;
    forgotten.unregister(this);
    free?.();
  }

  /** Does the same as `release`, for `using`. */
  [Symbol.dispose](): void {
    this.release();
  }

  /** @internal Throws `stale_id` after `release`. */
  protected expectHeld(what: string): void {
    if (this.#free === undefined) {
      throw new BroadsideError('stale_id', `this ${what} was released`);
    }
  }
}

let lent = none;
let lentBytes = 0;

/** Returns memory that is valid until the next call, which reuses it: for data that is copied in each frame. */
export function lend(bytes: number): number {
  if (bytes > lentBytes) {
    engine().release(lent);
    lentBytes = 0;
    lent = none;
    lent = allocate(bytes);
    lentBytes = bytes;
  }
  return lent;
}

/** Calls `use` with a text in module memory, as UTF-8. */
export function withText<T>(text: string, use: (at: number, size: number) => T): T {
  const bytes = encoder.encode(text);
  return withMemory(bytes.length, (at) => {
    bytesAt(at, bytes.length).set(bytes);
    return use(at, bytes.length);
  });
}

/** Pushes points; a value that is not a number, or no point, becomes NaN, which the library refuses. */
export function pushPoint(numbers: number[], ...points: (Point | null | undefined)[]): void {
  for (const point of points) {
    numbers.push(point?.x ?? NaN, point?.y ?? NaN);
  }
}

/** Pushes a box in the same way. */
export function pushArea(numbers: number[], area: Aabb | null | undefined): void {
  pushPoint(numbers, area?.min, area?.max);
}

/** Pushes an option: whether it is given, and its value. The library has the defaults. */
export function pushOption(numbers: number[], value: number | undefined): void {
  numbers.push(value === undefined ? 0 : 1, value ?? 0);
}

/**
 * Pushes the cosine and the sine of a placement's rotation, as the library computes them; throws `invalid_argument` if
 * there are both an angle and a rotation.
 */
export function pushTurn(numbers: number[], placement: Pick<Placement, 'angle' | 'rotation'> | null | undefined): void {
  const { angle, rotation } = placement ?? {};
  if (rotation !== undefined && angle !== undefined) {
    throw invalid('both an angle and a rotation are given; expected one of them');
  }
  if (rotation !== undefined) {
    numbers.push(rotation?.cos ?? NaN, rotation?.sin ?? NaN);
  } else if (angle === undefined || angle === 0) {
    numbers.push(1, 0);
  } else {
    if (!Number.isFinite(angle)) {
      throw new BroadsideError('not_finite', `angle is ${angle}`);
    }
    const cos = engine().rotation_by(angle);
    numbers.push(cos, outputNumber(0));
  }
}
