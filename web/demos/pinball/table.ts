import type { Point } from 'broadside';

export const kinds = ['wall', 'pin', 'target', 'sling', 'bumper'] as const;
export type Kind = (typeof kinds)[number];

/** One static shape: all points within a radius of a line, which may be a point. */
export interface Piece {
  readonly kind: Kind;
  readonly a: Point;
  readonly b: Point;
  readonly radius: number;
}

/** A curve that is cut into a given number of pieces. */
interface Run {
  readonly kind: Kind;
  readonly length: number;
  /** Returns the point at a fraction of the length. */
  at(part: number): Point;
}

/** The table (unit: half an inch); y points down. */
export const table = { min: { x: 0, y: 0 }, max: { x: 72, y: 100 } } as const;

export const ballRadius = 1.0625;
export const bumperRadius = 4;
export const flipper = { length: 9.2, radius: 0.9, rest: 0.47, up: -0.47 } as const;
export const leftPivot: Point = { x: 23, y: 90 };
/** Where a ball waits for its launch. */
export const start: Point = { x: 68, y: 96.4 };
export const laneLeft = 66;

const half = 0.45; // half the thickness of walls

/** Mirrors a point: the field between the left wall and the lane is symmetric. */
export function mirrored({ x, y }: Point): Point {
  return { x: laneLeft + 2 - x, y };
}

function straight(a: Point, b: Point, kind: Kind = 'wall'): Run {
  return {
    kind,
    length: Math.hypot(b.x - a.x, b.y - a.y),
    at: (part) => ({ x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part }),
  };
}

/** A part of the arch over the table, `within` inside its outermost line; angles are fractions of a half turn. */
function arch(within: number, from: number, to: number): Run {
  const at = (part: number): Point => {
    const angle = Math.PI * (1 + from + (to - from) * part);
    return { x: 36 + (34 - within) * Math.cos(angle), y: 30 + (28 - within) * Math.sin(angle) };
  };
  const chords = 64;
  let length = 0;
  for (let i = 0; i < chords; ++i) {
    length += straight(at(i / chords), at((i + 1) / chords)).length;
  }
  return { kind: 'wall', length, at };
}

function path(...corners: readonly (readonly [x: number, y: number])[]): Run[] {
  return corners.slice(1).map(([x, y], i) => {
    const [fromX, fromY] = corners[i]!;
    return straight({ x: fromX, y: fromY }, { x, y });
  });
}

function reflection({ kind, length, at }: Run): Run {
  return { kind, length, at: (part) => mirrored(at(part)) };
}

const leftRuns = [
  ...path([2, 54], [7.6, 62.5]), // off the wall, over the outlane
  ...path([7.5, 71], [7.5, 81], [leftPivot.x - 1.2, leftPivot.y - 0.8]), // from the outlane to the flipper
  ...path([12.4, 69], [12.4, 78], [20.8, 82.8]),
];

const runs: readonly Run[] = [
  ...path([2, 98], [2, 30]),
  arch(0, 0, 1),
  ...path([70, 30], [70, 98], [laneLeft, 98], [laneLeft, 36]),
  arch(5.5, 0.08, 0.36),
  arch(5.5, 0.64, 0.92),
  ...leftRuns,
  ...leftRuns.map(reflection),
];

function point(kind: Kind, x: number, y: number, radius: number): Piece {
  return { kind, a: { x, y }, b: { x, y }, radius };
}

/** Returns a piece and its mirror image. */
function both(piece: Piece): Piece[] {
  return [piece, { ...piece, a: mirrored(piece.a), b: mirrored(piece.b) }];
}

/** The parts that are not cut into pieces. */
function fixtures(): Piece[] {
  const bumpers = [
    [25.5, 32],
    [42.5, 32],
    [34, 43],
  ] as const;
  const posts = [27, 34, 41].map((x): Piece => ({ kind: 'wall', a: { x, y: 14 }, b: { x, y: 19 }, radius: half }));
  const pins: Piece[] = [];
  for (let row = 0; row < 7; ++row) {
    for (let x = row % 2 === 0 ? 6.5 : 9.5; x < 18 - row; x += 6) {
      pins.push(...both(point('pin', x, 33 + 5 * row, 0.55)));
    }
  }
  const targets = [0, 1, 2].flatMap((i) => {
    const x = 33.4 - 2.5 * i;
    const y = 55 + 1.5 * i;
    return both({ kind: 'target', a: { x, y }, b: { x: x - 1.7, y: y + 1.02 }, radius: half });
  });
  const sling: Piece = { kind: 'sling', a: { x: 12.9, y: 69.6 }, b: { x: 20.9, y: 82.3 }, radius: half };
  return [...bumpers.map(([x, y]) => point('bumper', x, y, bumperRadius)), ...posts, ...pins, ...targets, ...both(sling)];
}

/** Returns the table with a given number of static shapes: the more, the shorter the pieces of its walls. */
export function makeTable(shapes: number): Piece[] {
  const pieces = fixtures();
  const toCut = shapes - pieces.length;
  const all = runs.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  for (const { kind, length, at } of runs) {
    const from = Math.round((toCut * passed) / all);
    passed += length;
    const count = Math.round((toCut * passed) / all) - from;
    for (let i = 0; i < count; ++i) {
      pieces.push({ kind, a: at(i / count), b: at((i + 1) / count), radius: half });
    }
  }
  return pieces;
}
