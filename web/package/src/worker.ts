// A world in a worker, so that a page draws one frame while the next one is computed.
import type { BodyOptions } from './body.js';
import { BroadsideError, expectCount, invalid } from './errors.js';
import type { Change, Port, Question, Refusal, Reply, Request } from './worker_messages.js';
import type { CirclesOptions, WorldOptions } from './world_options.js';

export type { Port } from './worker_messages.js';

/** How a `WorkerWorld` is started, and the options of its world. */
export interface WorkerOptions extends WorldOptions {
  /** The worker, if it is not to be a new one: it must run `broadside/world-worker`. */
  readonly worker?: Port;
  /**
   * Whether the arrays of a step lie in memory that the worker shares. By default they do if the page is isolated
   * (`crossOriginIsolated`), and are transferred otherwise.
   */
  readonly shared?: boolean;
}

/** A body to add; `userData` stays where it is. */
export type WorkerBody = Omit<BodyOptions, 'userData'>;

/** The state after a step. Its arrays can be read until the next step has arrived; after that they may change or become empty. */
export interface WorkerStep {
  /** The bodies: [n], each the number that it got when it was added. */
  readonly bodies: Uint32Array;
  /** Their positions, and the cosines and sines of their angles: [n][4]. */
  readonly transforms: Float32Array;
  /** The pairs that began to touch: [p][2], numbers of bodies. */
  readonly begun: Uint32Array;
  /** The pairs that no longer touch: [p][2]. */
  readonly ended: Uint32Array;
  /** The changes since the last step that were refused, such as those of a body that does not exist; all others were made. */
  readonly refused: readonly BroadsideError[];
}

/** What many rays hit, as `RayArrays`, but each body is a number, and 2^32 - 1 if the ray hits nothing. */
export interface WorkerRays {
  /** [n] */
  readonly bodies: Uint32Array;
  /** [n] */
  readonly fractions: Float32Array;
  /** [n][2] */
  readonly normals: Float32Array;
  /** [n][2] */
  readonly points: Float32Array;
}

/** The bodies in many areas, as `AreaArrays`, but each body is a number. */
export interface WorkerAreas {
  /** [n + 1] */
  readonly begins: Uint32Array;
  /** [begins[n]] */
  readonly bodies: Uint32Array;
}

interface Waiting {
  readonly take: (reply: Reply) => void;
  readonly fail: (error: BroadsideError) => void;
}

function errorOf({ code, message }: Refusal): BroadsideError {
  return new BroadsideError(code, message);
}

/**
 * A `World` that lives in a worker. Changes are collected, and sent with the next step or query, all in one message.
 *
 * ```ts
 * import { WorkerWorld } from 'broadside/worker';
 * const world = await WorkerWorld.start({ response: 'bounce' });
 * const [ball] = world.add([{ shape: { kind: 'circle', radius: 1, center: { x: 0, y: 0 } } }]);
 * let next = world.step(1 / 60);
 * for (;;) {
 *   const step = await next;
 *   next = world.step(1 / 60); // is computed while this one is drawn
 *   draw(step.bodies, step.transforms);
 * }
 * ```
 */
export class WorkerWorld {
  readonly #port: Port;
  readonly #owned: Worker | undefined;
  readonly #waiting: Waiting[] = [];
  #changes: Change[] = [];
  #count = 0; // of all bodies that were ever added
  #refused: BroadsideError[] = []; // changes, since the last step that arrived
  #latest: ArrayBufferLike | undefined; // of the last step that arrived
  readonly #free: ArrayBufferLike[] = []; // of those before, to be sent back
  #closed: BroadsideError | undefined;

  /**
   * Starts the worker, and makes a world in it.
   *
   * @throws BroadsideError as the constructor of `World`; `not_ready` where there are no workers; `broken` if the worker
   * or its module cannot be loaded
   */
  static async start({ worker, shared, ...options }: WorkerOptions = {}): Promise<WorkerWorld> {
    const world = new WorkerWorld(worker);
    await world.#ask(['start', options, shared]);
    return world;
  }

  private constructor(port: Port | undefined) {
    if (port === undefined) {
      if (typeof Worker === 'undefined') {
        throw new BroadsideError('not_ready', 'there are no workers here: pass one as `worker`');
      }
      this.#owned = new Worker(new URL('./world_worker.js', import.meta.url), { type: 'module' });
      this.#owned.onerror = (event) => this.#end(new BroadsideError('broken', `the worker failed: ${event.message ?? 'it did not load'}`));
    }
    this.#port = port ?? (this.#owned as unknown as Port);
    this.#port.onmessage = ({ data }) => this.#waiting.shift()?.take(data as Reply);
  }

  /** Adds bodies, and returns their numbers, which no other body gets: 0 for the first. */
  add(bodies: readonly WorkerBody[]): number[] {
    const first = this.#add(bodies.length);
    this.#changes.push(['add', first, bodies]);
    return bodies.map((_, i) => first + i);
  }

  /** Adds circles with the options of `World.addCircles`, and returns the number of the first: the others follow it. */
  addCircles(circles: CirclesOptions): number {
    const first = this.#add(circles.positions.length / 2);
    this.#changes.push(['circles', first, circles]);
    return first;
  }

  /** Removes bodies, all or none. */
  remove(bodies: ArrayLike<number>): void {
    this.#changes.push(['remove', Uint32Array.from(bodies)]);
  }

  /** Moves bodies [n] to positions [n][2], all or none. Their velocities stay. */
  move(bodies: ArrayLike<number>, positions: ArrayLike<number>): void {
    expectCount('positions', positions, 2 * bodies.length);
    this.#changes.push(['move', Uint32Array.from(bodies), Float32Array.from(positions)]);
  }

  /** Sets the velocities of bodies [n] to [n][2], up to the first that is refused (unit: length per second). */
  setVelocities(bodies: ArrayLike<number>, velocities: ArrayLike<number>): void {
    expectCount('velocities', velocities, 2 * bodies.length);
    this.#changes.push(['velocities', Uint32Array.from(bodies), Float32Array.from(velocities)]);
  }

  /**
   * Makes the changes, and advances the world by `seconds`. May be called before the last step has arrived.
   *
   * @throws BroadsideError as `World.step`; `stale_id` once the world is closed; `broken` if the worker failed
   */
  async step(seconds: number): Promise<WorkerStep> {
    const { buffer, counts } = await this.#ask(['step', seconds]);
    const [n, begun, ended] = counts!;
    if (this.#latest !== undefined) {
      this.#free.push(this.#latest);
    }
    this.#latest = buffer!;
    const refused = this.#refused;
    this.#refused = [];
    return {
      bodies: new Uint32Array(buffer!, 0, n),
      transforms: new Float32Array(buffer!, 4 * n, 4 * n),
      begun: new Uint32Array(buffer!, 20 * n, 2 * begun),
      ended: new Uint32Array(buffer!, 20 * n + 8 * begun, 2 * ended),
      refused,
    };
  }

  /** Makes the changes, and casts rays: [n][4], each a start and a motion. */
  async castRays(rays: ArrayLike<number>): Promise<WorkerRays> {
    const { arrays } = await this.#ask(['rays', Float32Array.from(rays)]);
    const [bodies, fractions, normals, points] = arrays as [Uint32Array, Float32Array, Float32Array, Float32Array];
    return { bodies, fractions, normals, points };
  }

  /** Makes the changes, and finds the bodies in areas: [n][4], each min and max. */
  async queryAreas(areas: ArrayLike<number>): Promise<WorkerAreas> {
    const { arrays } = await this.#ask(['areas', Float32Array.from(areas)]);
    const [begins, bodies] = arrays as [Uint32Array, Uint32Array];
    return { begins, bodies };
  }

  /** Ends the worker, unless it was passed to `start`. Calls that wait for an answer throw `stale_id`. */
  close(): void {
    this.#end(new BroadsideError('stale_id', 'this world was closed'));
  }

  #add(count: number): number {
    if (!Number.isInteger(count)) {
      throw invalid('positions must be two numbers each');
    }
    const first = this.#count;
    this.#count += count;
    return first;
  }

  #end(error: BroadsideError): void {
    this.#closed ??= error;
    this.#owned?.terminate();
    this.#port.onmessage = null;
    this.#waiting.splice(0).forEach(({ fail }) => fail(error));
  }

  async #ask(question: Question): Promise<Reply> {
    if (this.#closed !== undefined) {
      throw this.#closed;
    }
    const buffer = question[0] === 'step' ? this.#free.shift() : undefined;
    const request: Request = { changes: this.#changes, question, buffer };
    try {
      this.#port.postMessage(request, buffer instanceof ArrayBuffer ? [buffer] : []);
    } catch (error) {
      throw invalid(`a change cannot be sent to the worker: ${String(error)}`);
    } finally {
      this.#changes = [];
    }
    const reply = await new Promise<Reply>((take, fail) => this.#waiting.push({ take, fail }));
    this.#refused.push(...reply.refused.map(errorOf));
    if (reply.error !== undefined) {
      throw errorOf(reply.error);
    }
    return reply;
  }
}
