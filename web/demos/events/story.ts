import { any, box, circle, World, type Aabb, type Body, type EndCause, type Point } from 'broadside';
import { random } from '../shared/random';
import { addWalls } from '../shared/walls';

/** A contact from its begin to its end. */
export interface Bar {
  readonly name: string;
  readonly lane: number;
  readonly from: number; // (unit: second)
  /** The time of the last step that reported it (unit: second). */
  until: number;
  cause: EndCause | undefined;
}

/** A body with a name. */
export interface Named {
  readonly name: string;
  readonly kind: 'ball' | 'pillar' | 'zone' | 'hole';
  readonly radius: number;
  body: Body;
}

/** How long past contacts are kept (unit: second). */
export const memory = 9;

const room = 1.8; // width of a name (unit: second)

const ballCount = 7;
const lost = 1; // time until a removed ball returns (unit: second)

/** Balls that meet each other, pillars, a zone that is a sensor, and a hole that removes balls. */
export class Story {
  readonly world = new World({ response: 'bounce' });
  readonly named: Named[] = [];
  bars: Bar[] = [];
  time = 0;
  begun = 0;
  staying = 0;
  ended = 0;
  removed = 0;
  readonly zone: Aabb;
  readonly #open = new Map<string, Bar>();
  readonly #lost: { readonly name: string; readonly at: number }[] = [];
  readonly #next: () => number;

  constructor(
    readonly area: Aabb,
    readonly lanes: number,
    seed: number,
  ) {
    this.#next = random(seed);
    const { x, y } = area.max;
    addWalls(this.world, area);
    this.zone = { min: { x: x * 0.06, y: y * 0.14 }, max: { x: x * 0.36, y: y * 0.86 } };
    this.#place('zone', 'zone', 0, { x: x * 0.21, y: y * 0.5 });
    this.#place('hole', 'hole', y * 0.1, { x: x * 0.84, y: y * 0.5 });
    this.#place('pillar', 'pillar', y * 0.07, { x: x * 0.58, y: y * 0.27 });
    this.#place('pillar', 'pillar', y * 0.07, { x: x * 0.58, y: y * 0.73 });
    for (let i = 0; i < ballCount; ++i) {
      this.#throw(String.fromCharCode(65 + i));
    }
    this.world.onBegin(any, any, ({ a, b }) => this.#begin(a, b));
    this.world.onContact(any, any, ({ a, b }) => this.#stay(a, b));
    this.world.onEnd(any, any, ({ a, b, cause }) => this.#end(a, b, cause));
    // A listener may change anything: this one removes a body of its contact.
    this.world.onBegin('hole', 'ball', ({ b }) => this.#swallow(b));
  }

  step(seconds: number): void {
    this.time += seconds;
    this.staying = 0;
    this.world.step(seconds);
    this.bars = this.bars.filter(({ until }) => this.time - until < memory);
    while (this.#lost.length > 0 && this.time - this.#lost[0]!.at > lost) {
      this.#throw(this.#lost.shift()!.name);
    }
  }

  #place(kind: Named['kind'], name: string, radius: number, position: Point): void {
    const zone = this.zone;
    const shape = kind === 'zone' ? box(zone.max.x - zone.min.x, zone.max.y - zone.min.y) : circle(radius);
    const sensor = kind === 'zone' || kind === 'hole';
    const body = this.world.add({ shape, position, type: 'static', sensor, tag: kind });
    this.#call({ kind, name, radius, body });
  }

  #throw(name: string): void {
    const { x, y } = this.area.max;
    const way = this.#next() * 2 * Math.PI;
    const fast = 60 + 70 * this.#next();
    const radius = 15;
    const body = this.world.add({
      shape: circle(radius),
      position: { x: x * (0.42 + 0.1 * this.#next()), y: y * (0.1 + 0.8 * this.#next()) },
      velocity: { x: Math.cos(way) * fast, y: Math.sin(way) * fast },
      tag: 'ball',
    });
    this.#call({ kind: 'ball', name, radius, body });
  }

  #call(one: Named): void {
    one.body.userData = one;
    this.named.push(one);
  }

  #swallow(ball: Body): void {
    const one = ball.userData as Named;
    ball.remove();
    this.removed += 1;
    this.named.splice(this.named.indexOf(one), 1);
    this.#lost.push({ name: one.name, at: this.time });
  }

  #key(a: Body, b: Body): string {
    return [`${a.index}:${a.generation}`, `${b.index}:${b.generation}`].sort().join(' ');
  }

  #name(a: Body, b: Body): string {
    return [a, b]
      .map((one) => (one.userData as Named | undefined)?.name ?? 'wall')
      .sort((one, other) => one.length - other.length)
      .join(' ');
  }

  #begin(a: Body, b: Body): void {
    this.begun += 1;
    const lane = this.#freeLane();
    const bar: Bar = { name: this.#name(a, b), lane, from: this.time, until: this.time, cause: undefined };
    this.bars.push(bar);
    this.#open.set(this.#key(a, b), bar);
  }

  /** Returns the first lane with space for a name, or the one that has been free for the longest time. */
  #freeLane(): number {
    const left = new Array<number>(this.lanes).fill(-Infinity);
    for (const { lane, until } of this.bars) {
      left[lane] = Math.max(left[lane]!, until);
    }
    const free = left.findIndex((time) => this.time - time > room);
    return free >= 0 ? free : left.indexOf(Math.min(...left));
  }

  #stay(a: Body, b: Body): void {
    this.staying += 1;
    const bar = this.#open.get(this.#key(a, b));
    if (bar !== undefined) {
      bar.until = this.time;
    }
  }

  #end(a: Body, b: Body, cause: EndCause): void {
    this.ended += 1;
    const key = this.#key(a, b);
    const bar = this.#open.get(key);
    if (bar !== undefined) {
      bar.until = this.time;
      bar.cause = cause;
      this.#open.delete(key);
    }
  }
}
