import { idOf, origin, type Body } from './body.js';
import {
  check,
  engine,
  floatsAt,
  give,
  Held,
  output,
  pushArea,
  pushOption,
  pushPoint,
  pushTurn,
  withMemory,
  wordsAt,
} from './engine.js';
import { pushFilter, type QueryOptions } from './filter.js';
import { expectFunction, invalid, placeOf } from './errors.js';
import { refuseWrongTypes } from './refusing.js';
import type { Aabb, Placement, Point } from './geometry.js';
import { deciding, visiting } from './listening.js';
import type { AreaArrays, Hit, Nearest, Obstacle, RayArrays, SlideHit, SlideOptions, SlideResponse, SlideResult } from './query.js';
import { pushShape, type Shape } from './shapes.js';

/** The module's numbers of the queries. */
const question = { area: 0, point: 1, shape: 2, ray: 3, cast: 4, nearest: 5 } as const;
const slideResponses: readonly SlideResponse[] = ['slide', 'bounce', 'cross', 'touch'];
/** The number of numbers that the module writes for an obstacle. */
const obstacleNumbers = 10;
const maxFloat = 3.4028234663852886e38;

/** Returns the options as the module reads them. */
function selecting(options: QueryOptions | undefined): number[] {
  const numbers: number[] = [];
  pushFilter(numbers, options?.filter);
  for (const wanted of [options?.staticBodies, options?.kinematicBodies, options?.dynamicBodies, options?.sensors]) {
    numbers.push(+(wanted !== false));
  }
  numbers.push(...idOf(options?.except));
  return numbers;
}

/**
 * The queries of a `World`.
 *
 * Queries see the latest change, before and between steps, and leave out disabled bodies. `visit` is called for each
 * result, and ends the query by returning false; it must not change the world.
 */
export abstract class Queries extends Held {
  /** @internal The address of the world in the module. */
  abstract get handle(): number;

  /** @internal Returns the body with this id. */
  abstract find(index: number, generation: number): Body;

  /** @internal Returns the bodies whose indices and generations the last call wrote. */
  readBodies(): Body[] {
    const ids = output();
    return Array.from({ length: ids.length / 2 }, (_, i) => this.find(ids[2 * i] as number, ids[2 * i + 1] as number));
  }

  /** Returns the bodies that the narrow phase has to compare with a body, at their present positions. */
  candidates(body: Body): Body[] {
    check(engine().world_candidates(this.handle, body.index, body.generation, body.world.number));
    return this.readBodies();
  }

  /** Finds the bodies that touch an axis-aligned box, ascending. */
  queryArea(area: Aabb, options?: QueryOptions): Body[] {
    return this.#ask(question.area, options, (numbers) => pushArea(numbers, area));
  }

  /** Visits the bodies that touch an axis-aligned box, ascending. */
  visitArea(area: Aabb, visit: (body: Body) => boolean | void, options?: QueryOptions): void {
    this.#show(question.area, options, (numbers) => pushArea(numbers, area), visit, this.#first);
  }

  /** Finds the bodies that contain a point, ascending. */
  queryPoint(point: Point, options?: QueryOptions): Body[] {
    return this.#ask(question.point, options, (numbers) => pushPoint(numbers, point));
  }

  /** Finds the bodies that touch a shape, ascending. */
  queryShape(shape: Shape, at: Placement, options?: QueryOptions): Body[] {
    return this.#ask(question.shape, options, (numbers) => this.#pushPlaced(numbers, shape, at));
  }

  /** Visits the bodies that touch a shape, ascending. */
  visitShape(shape: Shape, at: Placement, visit: (body: Body) => boolean | void, options?: QueryOptions): void {
    this.#show(question.shape, options, (numbers) => this.#pushPlaced(numbers, shape, at), visit, this.#first);
  }

  /** Finds the first body on a ray from `start` to `start + motion`; nothing if there is none. */
  castRay(start: Point, motion: Point, options?: QueryOptions): Hit | undefined {
    this.#asking(question.ray, options, (numbers) => pushPoint(numbers, start, motion));
    const numbers = output();
    return numbers.length === 0 ? undefined : this.#hit(numbers);
  }

  /**
   * Casts many rays in one call: [n][4], each a start and a motion.
   *
   * @throws BroadsideError as `castRay`, naming the first ray that is refused
   */
  castRays(rays: ArrayLike<number>, options?: QueryOptions): RayArrays {
    const [length, bodies, numbers] = this.#askMany(rays, options, true);
    return {
      length,
      bodies: wordsAt(bodies, 2 * length),
      fractions: floatsAt(numbers, length),
      normals: floatsAt(numbers + 4 * length, 2 * length),
      points: floatsAt(numbers + 12 * length, 2 * length),
    };
  }

  /**
   * Finds the bodies in many areas in one call: [n][4], each min and max.
   *
   * @throws BroadsideError as `queryArea`, naming the first area that is refused
   */
  queryAreas(areas: ArrayLike<number>, options?: QueryOptions): AreaArrays {
    const [length, bodies, places] = this.#askMany(areas, options, false);
    const begins = wordsAt(places, length + 1);
    return { begins, bodies: wordsAt(bodies, 2 * begins[length]!) };
  }

  /** Visits all bodies on a ray, by (fraction, body). */
  visitRay(start: Point, motion: Point, visit: (hit: Hit) => boolean | void, options?: QueryOptions): void {
    this.#show(question.ray, options, (numbers) => pushPoint(numbers, start, motion), visit, this.#hit);
  }

  /** Finds the first body that a shape hits when it moves by `motion`; nothing if there is none. */
  castShape(shape: Shape, at: Placement, motion: Point, options?: QueryOptions): Hit | undefined {
    this.#asking(question.cast, options, (numbers) => this.#pushPlaced(numbers, shape, at, motion));
    const numbers = output();
    return numbers.length === 0 ? undefined : this.#hit(numbers);
  }

  /** Visits all bodies that a shape hits when it moves by `motion` and none stops it, by (fraction, body). */
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
  nearest(point: Point, count = 1, maxDistance = Infinity, options?: QueryOptions): Nearest[] {
    this.#asking(question.nearest, options, (numbers) => {
      pushPoint(numbers, point);
      numbers.push(count, Math.min(maxDistance, maxFloat));
    });
    const numbers = output();
    return Array.from({ length: numbers.length / 5 }, (_, i) => {
      const [index = 0, generation = 0, distance = 0, x = 0, y = 0] = numbers.slice(5 * i, 5 * i + 5);
      return { body: this.find(index, generation), distance, point: { x, y } };
    });
  }

  /**
   * Moves a body by `motion` as a player moves: along walls and floors, never into anything.
   *
   * Obstacles are the bodies that its filter lets it meet, of any type. The ground of the last call carries the body
   * along. Obstacles that overlap it push it out. It moves along the surfaces that it meets, over the seams of tiles,
   * and into gaps that are exactly as wide as it is. At last it is put down on ground within reach of `skin`, and
   * touches it; from all other surfaces it keeps `skin`. The next step reports the contact with the ground to
   * listeners, whatever the types of the two bodies, also if the ground moves on before contacts are found.
   *
   * @throws BroadsideError `invalid_argument` for a `skin` or `maxHits` that is negative or not finite, and for an `up`
   * that is neither zero nor of length 1 to within 1 %; `not_finite` for a motion or an `up` that is not finite. On
   * error, and if `respond` throws or returns a value that is no `SlideResponse`, the body does not move.
   */
  moveAndSlide(body: Body, motion: Point, options: SlideOptions = {}): SlideResult {
    const { respond } = options;
    if (respond !== undefined) {
      expectFunction('response', respond);
    }
    const decide = (numbers: readonly number[]) => placeOf(slideResponses, respond!(this.#obstacle(numbers, 0)), 'response');
    deciding(decide, () => {
      const given: number[] = [...idOf(body)];
      pushPoint(given, motion, options.up ?? origin);
      pushOption(given, options.maxHits);
      pushOption(given, options.skin);
      give(given);
      check(engine().world_move_and_slide(this.handle, respond !== undefined));
    });
    const numbers = output();
    const [x = 0, y = 0, remainingX = 0, remainingY = 0, onGround = 0] = numbers;
    const ground = onGround !== 0 ? this.#obstacle(numbers, 5) : undefined;
    const hits: SlideHit[] = [];
    for (let i = ground ? 5 + obstacleNumbers : 5; i < numbers.length; i += obstacleNumbers + 1) {
      const response = slideResponses[numbers[i + obstacleNumbers] as number] as SlideResponse;
      hits.push({ ...this.#obstacle(numbers, i), response });
    }
    return { position: { x, y }, remaining: { x: remainingX, y: remainingY }, hits, ground };
  }

  #asking(
    number: number,
    options: QueryOptions | undefined,
    push: (numbers: number[]) => void,
    visit?: (numbers: readonly number[]) => boolean,
  ): void {
    const numbers = selecting(options);
    push(numbers);
    give(numbers);
    const ask = () => check(engine().world_query(this.handle, number, visit !== undefined));
    if (visit === undefined) {
      ask();
    } else {
      visiting(visit, ask);
    }
  }

  /** Asks with four numbers for each question; returns how many there are, and the addresses of the arrays of answers. */
  #askMany(
    numbers: ArrayLike<number>,
    options: QueryOptions | undefined,
    rays: boolean,
  ): [length: number, bodies: number, rest: number] {
    const n = numbers?.length / 4;
    if (n % 1 !== 0) {
      throw invalid('it takes four numbers');
    }
    give(selecting(options));
    withMemory(16 * n, (at) => {
      floatsAt(at, 4 * n).set(numbers);
      check(engine().world_query_many(this.handle, at, n, rays));
    });
    return [n, ...(output() as [number, number])];
  }

  #ask(number: number, options: QueryOptions | undefined, push: (numbers: number[]) => void): Body[] {
    this.#asking(number, options, push);
    return this.readBodies();
  }

  #show<T>(
    number: number,
    options: QueryOptions | undefined,
    push: (numbers: number[]) => void,
    visit: (one: T) => boolean | void,
    read: (numbers: readonly number[]) => T,
  ): void {
    expectFunction('visitor', visit);
    this.#asking(number, options, push, (numbers) => visit(read(numbers)) !== false);
  }

  #pushPlaced(numbers: number[], shape: Shape, at: Placement, motion?: Point): void {
    pushPoint(numbers, at);
    pushTurn(numbers, at);
    if (motion !== undefined) {
      pushPoint(numbers, motion);
    }
    pushShape(numbers, shape);
  }

  readonly #first = (numbers: readonly number[]): Body => this.find(numbers[0] as number, numbers[1] as number);

  readonly #hit = (numbers: readonly number[]): Hit => {
    const [index = 0, generation = 0, fraction = 0, normalX = 0, normalY = 0, x = 0, y = 0] = numbers;
    return {
      body: this.find(index, generation),
      fraction,
      normal: { x: normalX, y: normalY },
      point: { x, y },
    };
  };

  #obstacle(numbers: readonly number[], i: number): Obstacle {
    const at = (k: number) => numbers[i + k] as number;
    return {
      body: this.find(at(0), at(1)),
      normal: { x: at(2), y: at(3) },
      point: { x: at(4), y: at(5) },
      motion: { x: at(6), y: at(7) },
      depth: at(8),
      wasInside: at(9) !== 0,
    };
  }
}

refuseWrongTypes(Queries, 'readBodies');
