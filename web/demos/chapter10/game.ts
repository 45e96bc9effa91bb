import { box, circle, World, type Aabb, type Body, type Point } from 'broadside';
import { random } from '../shared/random';

const foodLayer = 2;
const smallest = 34;
const largest = 184;

/** Something that the player eats, good or bad. */
export interface Morsel {
  readonly kind: 'food' | 'poison';
  readonly body: Body;
  x: number;
  y: number;
  way: Point;
}

/** A ring that shows a meal, and fades. */
export interface Ripple extends Point {
  readonly kind: Morsel['kind'];
  age: number; // (unit: second)
}

export interface GameOptions {
  readonly food: number;
  readonly poison: number;
  readonly seed: number;
  readonly area: Aabb;
  readonly cell: number;
}

/** A player that grows by food and shrinks by poison; both respawn in another place. */
export class Game {
  // No listener waits for food and poison, so such pairs are not even tested.
  readonly world = new World({ interest: 'listeners' });
  readonly morsels: Morsel[] = [];
  readonly ripples: Ripple[] = [];
  readonly player: Body;
  at: Point;
  size = 64;
  eaten = 0;
  poisoned = 0;
  readonly #next: () => number;

  constructor(readonly options: GameOptions) {
    const { food, poison, seed, area } = options;
    this.#next = random(seed);
    this.at = { x: area.max.x / 2, y: area.max.y / 2 };
    this.player = this.world.add({ shape: box(this.size, this.size), position: this.at, tag: 'player' });
    for (let i = 0; i < food + poison; ++i) {
      this.#add(i < food ? 'food' : 'poison');
    }
    this.world.onBegin('player', 'food', ({ b }) => this.#eat(b.userData as Morsel));
    this.world.onBegin('player', 'poison', ({ b }) => this.#eat(b.userData as Morsel));
    this.setCell(options.cell);
  }

  setCell(cell: number): void {
    this.world.setTechnique('uniform-grid', { cellSize: cell, bounds: this.options.area });
  }

  /** Advances the game; without a direction the player seeks food by itself. */
  step(seconds: number, way: Point | undefined): void {
    const { area } = this.options;
    const go = way ?? this.#hunger();
    const half = this.size / 2;
    this.at = {
      x: Math.min(area.max.x - half, Math.max(half, this.at.x + go.x * 200 * seconds)),
      y: Math.min(area.max.y - half, Math.max(half, this.at.y + go.y * 200 * seconds)),
    };
    this.player.position = this.at;
    for (const morsel of this.morsels) {
      this.#drift(morsel, seconds);
    }
    this.world.step(seconds);
    for (const ripple of this.ripples) {
      ripple.age += seconds;
    }
    while ((this.ripples[0]?.age ?? 0) > 0.7) {
      this.ripples.shift();
    }
  }

  #hunger(): Point {
    const [found] = this.world.nearest(this.at, 1, 1e6, { filter: { mask: foodLayer } });
    if (found === undefined) {
      return { x: 0, y: 0 };
    }
    const x = found.point.x - this.at.x;
    const y = found.point.y - this.at.y;
    const length = Math.hypot(x, y) * 1.6 || 1; // slower than by hand
    return { x: x / length, y: y / length };
  }

  #eat(morsel: Morsel): void {
    this.ripples.push({ x: morsel.x, y: morsel.y, kind: morsel.kind, age: 0 });
    const food = morsel.kind === 'food';
    this.eaten += food ? 1 : 0;
    this.poisoned += food ? 0 : 1;
    this.size = Math.min(largest, Math.max(smallest, this.size + (food ? 6 : -24)));
    this.player.setShape(box(this.size, this.size));
    Object.assign(morsel, this.#place());
    morsel.body.teleport(morsel);
  }

  #drift(morsel: Morsel, seconds: number): void {
    const { max } = this.options.area;
    morsel.x += morsel.way.x * seconds;
    morsel.y += morsel.way.y * seconds;
    if (morsel.x < 15 || morsel.x > max.x - 15) {
      morsel.way = { x: -morsel.way.x, y: morsel.way.y };
    }
    if (morsel.y < 15 || morsel.y > max.y - 15) {
      morsel.way = { x: morsel.way.x, y: -morsel.way.y };
    }
    morsel.x = Math.min(max.x - 15, Math.max(15, morsel.x));
    morsel.y = Math.min(max.y - 15, Math.max(15, morsel.y));
    morsel.body.position = morsel;
  }

  /** Returns a random place that is not close to the player. */
  #place(): Point {
    const { max } = this.options.area;
    for (;;) {
      const x = 15 + this.#next() * (max.x - 30);
      const y = 15 + this.#next() * (max.y - 30);
      if (Math.hypot(x - this.at.x, y - this.at.y) > this.size) {
        return { x, y };
      }
    }
  }

  #add(kind: Morsel['kind']): void {
    const place = this.#place();
    const turn = this.#next() * 2 * Math.PI;
    const fast = 6 + 22 * this.#next();
    const food = kind === 'food';
    const body = this.world.add({
      shape: food ? circle(12) : box(20, 20),
      position: place,
      tag: kind,
      ...(food ? { filter: { layer: foodLayer } } : { angle: Math.PI / 4 }),
    });
    const morsel = { kind, body, ...place, way: { x: Math.cos(turn) * fast, y: Math.sin(turn) * fast } };
    body.userData = morsel;
    this.morsels.push(morsel);
  }
}
