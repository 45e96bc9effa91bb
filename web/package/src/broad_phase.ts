import { BoxArray } from './find_pairs.js';
import {
  check,
  engine,
  expectIndex,
  floatsAt,
  give,
  Held,
  lend,
  output,
  pushArea,
  putWords,
  rangeAt,
  textAt,
  withMemory,
  withText,
  wordsAt,
} from './engine.js';
import { expectCount, invalid, placeOf } from './errors.js';
import { refuseWrongTypes, refusing } from './refusing.js';
import { pushFilter, type Filter } from './filter.js';
import type { Aabb, Point } from './geometry.js';

/** Whether and how a body moves; never changes. Pairs without a dynamic body are never reported. */
export type BodyType = 'static' | 'kinematic' | 'dynamic';

export const bodyTypes: readonly BodyType[] = ['static', 'kinematic', 'dynamic'];

/** Returns the module's number of a type. */
export function numberOf(type: BodyType): number {
  return placeOf(bodyTypes, type, 'type of body');
}

/** An algorithm that finds pairs. Replacing it by another changes the cost, never the result. */
export type TechniqueName =
  | 'brute-force'
  | 'uniform-grid'
  | 'hash-grid'
  | 'sweep-and-prune'
  | 'quadtree'
  | 'kd-tree'
  | 'dynamic-tree'
  | 'hierarchical-grid';

/** Options of a technique. A technique ignores the options that it has no use for. */
export interface TechniqueOptions {
  /**
   * Side of a square cell, or `{ x, y }`: width and height, for the two grids. Positive and finite; measured from the
   * boxes by default (unit: length).
   */
  readonly cellSize?: number | Point;
  /** For the uniform grid, which needs them if a cell size is given. */
  readonly bounds?: Aabb;
  /** Of the finest rows of the hierarchical grid. Positive and finite; measured from the boxes by default (unit: length). */
  readonly rowHeight?: number;
  /** Whether the hierarchical grid may keep neighbor lists; true by default. */
  readonly neighborLists?: boolean;
}

/** Counters of the last `findPairs` of a broad phase, and its sizes. */
export interface Statistics {
  /** Tests of one box against another, of four comparisons each. */
  readonly tests: number;
  /** Tests that found an overlap. */
  readonly hits: number;
  /** Visits to cells, rows or tree nodes, empty ones included. */
  readonly cellsVisited: number;
  /** Boxes found in a cell of another box: the cost of boxes that share several cells. */
  readonly ownerChecks: number;
  /** Cells of the technique, empty ones included. */
  readonly cells: number;
  /** Cells with at least one box. */
  readonly occupiedCells: number;
  /** (box, cell) memberships. */
  readonly entries: number;
  /** Boxes held. */
  readonly boxes: number;
  /** Memory held (unit: byte). */
  readonly bytes: number;
  /** Time to update the structure (unit: second); 0 unless times are measured. */
  readonly updateSeconds: number;
  /** Time to find the pairs (unit: second); 0 unless times are measured. */
  readonly pairsSeconds: number;
}

/** An occupied cell, or a node of the tree that queries use. */
export interface Cell extends Aabb {
  /** The number of boxes in it. */
  readonly boxes: number;
  /** 0 for cells, and for nodes that contain boxes; 1 for their parent nodes, and so on. */
  readonly level: number;
  /** How often watched queries visited it. */
  readonly visits: number;
}

/**
 * Pushes an option that is a size, or 0 if it is not given; throws `invalid_argument`, naming the option, if it is not
 * positive and finite as a float.
 */
function pushSize(numbers: number[], name: string, size: number | undefined): void {
  if (size !== undefined && !(Math.fround(size) > 0 && Math.fround(size) < Infinity)) {
    throw invalid(`${name}: ${size}; must be positive and finite`);
  }
  numbers.push(size ?? 0);
}

export function giveTechniqueOptions({ cellSize, rowHeight, neighborLists, bounds }: TechniqueOptions): void {
  const numbers: number[] = [];
  if (typeof cellSize === 'object') {
    pushSize(numbers, 'cellSize.x', cellSize.x ?? NaN);
    pushSize(numbers, 'cellSize.y', cellSize.y ?? NaN);
  } else {
    pushSize(numbers, 'cellSize', cellSize);
    numbers.push(cellSize ?? 0);
  }
  pushSize(numbers, 'rowHeight', rowHeight);
  numbers.push(neighborLists === false ? 0 : 1);
  if (bounds !== undefined) {
    pushArea(numbers, bounds);
  }
  give(numbers);
}

export function readStatistics(phase: number): Statistics {
  engine().broad_phase_statistics(phase);
  const [tests = 0, hits = 0, cellsVisited = 0, ownerChecks = 0, cells = 0, occupiedCells = 0, ...rest] = output();
  const [entries = 0, boxes = 0, bytes = 0, updateSeconds = 0, pairsSeconds = 0] = rest;
  const counts = { tests, hits, cellsVisited, ownerChecks, cells, occupiedCells, entries, boxes, bytes };
  return { ...counts, updateSeconds, pairsSeconds };
}

export function readCells(phase: number, ofQueries = false): Cell[] {
  engine().broad_phase_cells(phase, ofQueries);
  const numbers = output();
  const cells: Cell[] = [];
  for (let i = 0; i + 6 < numbers.length; i += 7) {
    const [minX = 0, minY = 0, maxX = 0, maxY = 0, boxes = 0, level = 0, visits = 0] = numbers.slice(i, i + 7);
    cells.push({ min: { x: minX, y: minY }, max: { x: maxX, y: maxY }, boxes, level, visits });
  }
  return cells;
}

/** Returns the names of all techniques: brute force first, the default last. */
export function techniqueNames(): TechniqueName[] {
  const { at, size } = rangeAt(engine().technique_names());
  return textAt(at, size).split('\n') as TechniqueName[];
}

/**
 * Keeps a set of boxes, and finds all pairs of them that overlap: for programs that have bodies of their own, and need
 * the pairs of overlapping boxes in each frame.
 */
export class BroadPhase extends Held {
  readonly #address: number;

  constructor(technique?: TechniqueName, options: TechniqueOptions = {}) {
    super();
    const address = refusing('new BroadPhase', () => {
      giveTechniqueOptions(options);
      return withText(technique ?? '', (at, size) => engine().broad_phase_make(at, size));
    });
    if (address === 0) {
      check(output()[0] ?? 0);
    }
    this.#address = address;
    this.hold(() => engine().broad_phase_free(address));
  }

  get #at(): number {
    this.expectHeld('broad phase');
    return this.#address;
  }

  /** Adds boxes [n][4]; returns their indices. The type never changes. */
  add(boxes: ArrayLike<number>, type: BodyType = 'dynamic', filter?: Filter): Uint32Array {
    const n = Math.ceil(boxes.length / 4);
    expectCount('boxes', boxes, 4 * n);
    return withMemory(4 * boxes.length, (at) => {
      floatsAt(at, boxes.length).set(boxes);
      const numbers: number[] = [];
      pushFilter(numbers, filter);
      give(numbers);
      check(engine().broad_phase_add(this.#at, at, n, numberOf(type)));
      return Uint32Array.from(output());
    });
  }

  /**
   * Sets the corners [n][4] of the boxes with indices [n], all or none; no index may occur twice. Of a `BoxArray`, which
   * may be longer, the first n boxes are read.
   */
  move(indices: ArrayLike<number>, boxes: ArrayLike<number> | BoxArray): void {
    const n = indices.length;
    const given = boxes instanceof BoxArray ? Math.min(n, boxes.length) : boxes.length / 4;
    if (given !== n) {
      throw invalid(`there are ${n} indices, and ${given} boxes`);
    }
    const room = lend(boxes instanceof BoxArray ? 4 * n : 20 * n);
    putWords(room, indices);
    let at = room + 4 * n;
    if (boxes instanceof BoxArray) {
      at = boxes.place;
    } else {
      floatsAt(at, 4 * n).set(boxes);
    }
    check(engine().broad_phase_move(this.#at, room, at, n));
  }

  /** Removes a box; its index is reused. */
  remove(index: number): void {
    expectIndex(index);
    check(engine().broad_phase_remove(this.#at, index));
  }

  /** Sets the filter of a box. */
  setFilter(index: number, filter: Filter): void {
    expectIndex(index);
    const numbers: number[] = [];
    pushFilter(numbers, filter);
    give(numbers);
    check(engine().broad_phase_set_filter(this.#at, index));
  }

  /**
   * Finds all pairs: indices [p][2], the lower first, each once. A view into the module's memory, valid until the
   * next call of the package.
   */
  findPairs(): Uint32Array {
    const { at, size } = rangeAt(engine().broad_phase_find_pairs(this.#at));
    return wordsAt(at, 2 * size);
  }

  /** Finds the boxes that overlap an area, ascending. */
  queryArea(area: Aabb): Uint32Array {
    const numbers: number[] = [];
    pushArea(numbers, area);
    give(numbers);
    check(engine().broad_phase_query_area(this.#at));
    return Uint32Array.from(output());
  }

  /** Returns the counters of the last `findPairs`, and the sizes. */
  statistics(): Statistics {
    return readStatistics(this.#at);
  }

  /** Returns the occupied cells, for drawing. */
  cells(): Cell[] {
    return readCells(this.#at);
  }
}

refuseWrongTypes(BroadPhase);
