import type { Body } from './body.js';
import type { BodyList } from './body_list.js';
import { BroadsideError } from './errors.js';
import { World } from './world.js';
import type { Change, Port, Question, Refusal, Reply, Request } from './worker_messages.js';

const none = 0xffffffff; // the number of no body

function refusalOf(error: unknown): Refusal {
  if (error instanceof BroadsideError) {
    return { code: error.code, message: error.message };
  }
  return { code: 'broken', message: String(error) };
}

/** Keeps a world for a page, and answers its requests. */
export class WorldHost {
  #world: World | undefined;
  #isShared = false;
  readonly #spare: ArrayBufferLike[] = [];
  readonly #bodies = new Map<number, Body>();
  readonly #numbers = new WeakMap<Body, number>(); // also of removed ones
  #list: BodyList | undefined; // of all bodies, while there are the same ones

  constructor(port: Port) {
    port.onmessage = ({ data }) => {
      const reply = this.answer(data as Request);
      port.postMessage(reply, transferable(reply));
    };
  }

  /** Makes the changes, each unless it is refused, and answers the question. */
  answer({ changes, question, buffer }: Request): Reply {
    if (buffer !== undefined) {
      this.#spare.push(buffer);
    }
    const refused: Refusal[] = [];
    for (const change of changes) {
      try {
        this.#make(change);
      } catch (error) {
        refused.push(refusalOf(error));
      }
    }
    try {
      return { refused, ...this.#reply(question) };
    } catch (error) {
      return { refused, error: refusalOf(error) };
    }
  }

  get #held(): World {
    if (this.#world === undefined) {
      throw new BroadsideError('not_ready', 'the world in the worker was not started');
    }
    return this.#world;
  }

  #make(change: Change): void {
    const world = this.#held;
    if (change[0] === 'add') {
      this.#enter(change[1], world.addAll(change[2]));
    } else if (change[0] === 'circles') {
      const list = world.addCircles(change[2]);
      this.#enter(change[1], Array.from({ length: list.length }, (_, i) => list.at(i)!));
      list.release();
    } else if (change[0] === 'remove') {
      const bodies = this.#find(change[1]);
      world.remove(bodies);
      change[1].forEach((number) => this.#bodies.delete(number));
      this.#change();
    } else if (change[0] === 'move') {
      const list = world.list(this.#find(change[1]));
      try {
        list.move(change[2]);
      } finally {
        list.release();
      }
    } else {
      const [, numbers, velocities] = change;
      this.#find(numbers).forEach((body, i) => (body.velocity = { x: velocities[2 * i]!, y: velocities[2 * i + 1]! }));
    }
  }

  #enter(first: number, bodies: readonly Body[]): void {
    bodies.forEach((body, i) => {
      this.#bodies.set(first + i, body);
      this.#numbers.set(body, first + i);
    });
    this.#change();
  }

  #change(): void {
    this.#list?.release();
    this.#list = undefined;
  }

  #find(numbers: Uint32Array): Body[] {
    return Array.from(numbers, (number) => {
      const body = this.#bodies.get(number);
      if (body === undefined) {
        throw new BroadsideError('stale_id', `there is no body with the number ${number}`);
      }
      return body;
    });
  }

  #reply(question: Question): Partial<Reply> {
    switch (question[0]) {
      case 'start':
        this.#world = new World(question[1]);
        this.#isShared = question[2] ?? (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? false;
        return {};
      case 'step':
        this.#held.step(question[1]);
        return this.#state();
      case 'rays': {
        const { bodies, fractions, normals, points } = this.#held.castRays(question[1]);
        const kept = [fractions.slice(), normals.slice(), points.slice()]; // first, as they are views
        return { arrays: [this.#numbersOf(bodies), ...kept] };
      }
      default: {
        const { begins, bodies } = this.#held.queryAreas(question[1]);
        return { arrays: [begins.slice(), this.#numbersOf(bodies)] };
      }
    }
  }

  #numbersOf(ids: Uint32Array): Uint32Array {
    const world = this.#held;
    const kept = ids.slice(); // the view ends with the next call
    return Uint32Array.from({ length: kept.length / 2 }, (_, i) => this.#numbers.get(world.find(kept[2 * i]!, kept[2 * i + 1]!)) ?? none);
  }

  /** Writes the numbers of the bodies, their transforms, and the contacts that began and ended. */
  #state(): Partial<Reply> {
    const world = this.#held;
    const begun = this.#numbersOf(world.readContacts('begun').bodies);
    const ended = this.#numbersOf(world.readEnded().bodies);
    this.#list ??= world.list([...this.#bodies.values()]);
    const n = this.#list.length;
    const buffer = this.#room(20 * n + 4 * (begun.length + ended.length));
    new Uint32Array(buffer, 0, n).set([...this.#bodies.keys()]);
    new Float32Array(buffer, 4 * n, 4 * n).set(this.#list.readTransforms());
    new Uint32Array(buffer, 20 * n, begun.length).set(begun);
    new Uint32Array(buffer, 20 * n + 4 * begun.length, ended.length).set(ended);
    return { buffer, counts: [n, begun.length / 2, ended.length / 2] };
  }

  /** Returns memory that the page does not read any more. */
  #room(bytes: number): ArrayBufferLike {
    const old = this.#spare.shift();
    if (old !== undefined && old.byteLength >= bytes) {
      return old;
    }
    const size = Math.ceil(1.5 * bytes);
    return this.#isShared ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
  }
}

function transferable({ buffer, arrays = [] }: Reply): Transferable[] {
  return [buffer, ...arrays.map((array) => array.buffer)].filter((memory) => memory instanceof ArrayBuffer);
}
