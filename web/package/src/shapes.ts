import { pushPoint, pushTurn } from './engine.js';
import { placeOf } from './errors.js';
import { refusing } from './refusing.js';
import type { Point, Rotation } from './geometry.js';

/** A disc. Radius 0 is a point. */
export interface Circle {
  /** Tells shapes apart. */
  readonly kind: 'circle';
  /** 0 or more (unit: length). */
  readonly radius: number;
  /** In local coordinates; the origin by default. */
  readonly center?: Point;
}

/** A rectangle, rotated with its body and by its own rotation. */
export interface Box {
  /** Tells shapes apart. */
  readonly kind: 'box';
  /** The full width, along its own first axis (unit: length). */
  readonly width: number;
  /** The full height, along its own second axis (unit: length). */
  readonly height: number;
  /** In local coordinates; the origin by default. */
  readonly center?: Point;
  /** Relative to the body; 0 by default (unit: radian). */
  readonly angle?: number;
  /** The same, instead of an angle: both are refused (`invalid_argument`). */
  readonly rotation?: Rotation;
}

/** All points within `radius` of the segment from a to b. */
export interface Capsule {
  /** Tells shapes apart. */
  readonly kind: 'capsule';
  /** One end, in local coordinates. */
  readonly a: Point;
  /** The other end; may be the same point. */
  readonly b: Point;
  /** 0 or more (unit: length). */
  readonly radius: number;
}

/** A line segment from a to b. */
export interface Segment {
  /** Tells shapes apart. */
  readonly kind: 'segment';
  /** One end, in local coordinates. */
  readonly a: Point;
  /** The other end; may be the same point. */
  readonly b: Point;
}

/** The convex hull of points, with 3 to 16 corners, rounded by a radius. */
export interface Polygon {
  /** Tells shapes apart. */
  readonly kind: 'polygon';
  /** In local coordinates, in any order. */
  readonly points: readonly Point[];
  /** Radius of the rounding; 0 by default (unit: length). */
  readonly radius?: number;
}

/** Pixels that are set or clear: the shape of a sprite. Row 0 is the first of the picture. */
export interface Mask {
  /** Tells shapes apart. */
  readonly kind: 'mask';
  /** Columns (unit: pixel). */
  readonly width: number;
  /** Rows (unit: pixel). */
  readonly height: number;
  /** [height][width] row by row: 0 is clear, anything else is set. */
  readonly pixels: ArrayLike<number>;
  /** Side of a pixel; 1 by default (unit: length). */
  readonly pixelSize?: number;
  /** The corner of pixel (0, 0) in local coordinates; the origin by default. */
  readonly origin?: Point;
}

/** A shape of a body. */
export type Shape = Circle | Box | Capsule | Segment | Polygon | Mask;

/** Makes a disc around `center`, by default the body's origin. */
export function circle(radius: number, center?: Point): Circle {
  return { kind: 'circle', radius, ...(center && { center }) };
}

/** Makes a rectangle. */
export function box(width: number, height: number, more: Pick<Box, 'center' | 'angle' | 'rotation'> = {}): Box {
  return { kind: 'box', width, height, ...more };
}

/** Makes a capsule: a segment from a to b, thickened by a radius. */
export function capsule(a: Point, b: Point, radius: number): Capsule {
  return { kind: 'capsule', a, b, radius };
}

/** Makes a line segment from a to b. */
export function segment(a: Point, b: Point): Segment {
  return { kind: 'segment', a, b };
}

/** Makes the convex hull of points, rounded by a radius. */
export function polygon(points: readonly Point[], radius = 0): Polygon {
  return { kind: 'polygon', points, radius };
}

/** Makes a mask from rows of text: '.' and ' ' are clear, any other character is set. */
export function mask(rows: readonly string[], more: Pick<Mask, 'pixelSize' | 'origin'> = {}): Mask {
  return refusing('mask', () => {
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
    const pixels = new Uint8Array(width * rows.length);
    rows.forEach((row, y) => {
      for (let x = 0; x < row.length; ++x) {
        pixels[y * width + x] = row[x] === '.' || row[x] === ' ' ? 0 : 1;
      }
    });
    return { kind: 'mask', width, height: rows.length, pixels, ...more };
  });
}

const origin: Point = { x: 0, y: 0 };
const kinds = ['circle', 'box', 'capsule', 'segment', 'polygon', 'mask'] as const;

/** Pushes a shape as the module reads it; throws `invalid_argument` for a kind that does not exist. */
export function pushShape(numbers: number[], shape: Shape): void {
  numbers.push(placeOf(kinds, shape?.kind, 'kind of shape'));
  switch (shape.kind) {
    case 'circle':
      pushPoint(numbers, shape.center ?? origin);
      numbers.push(shape.radius);
      return;
    case 'box':
      numbers.push(shape.width / 2, shape.height / 2);
      pushPoint(numbers, shape.center ?? origin);
      pushTurn(numbers, shape);
      return;
    case 'capsule':
      pushPoint(numbers, shape.a);
      pushPoint(numbers, shape.b);
      numbers.push(shape.radius);
      return;
    case 'segment':
      pushPoint(numbers, shape.a);
      pushPoint(numbers, shape.b);
      return;
    case 'polygon':
      numbers.push(shape.radius ?? 0, shape.points.length);
      for (const point of shape.points) {
        pushPoint(numbers, point);
      }
      return;
    case 'mask':
      numbers.push(shape.width, shape.height, shape.pixelSize ?? 1);
      pushPoint(numbers, shape.origin ?? origin);
      for (let i = 0; i < shape.pixels.length; ++i) {
        numbers.push(shape.pixels[i] === 0 ? 0 : 1);
      }
  }
}

/** Reads a shape that the module wrote; `next` returns the next number. */
export function readShape(next: () => number): Shape {
  const point = (): Point => ({ x: next(), y: next() });
  switch (next()) {
    case 0: {
      const center = point();
      return { kind: 'circle', radius: next(), center };
    }
    case 1: {
      const half = point();
      const center = point();
      const rotation = { cos: next(), sin: next() };
      return { kind: 'box', width: 2 * half.x, height: 2 * half.y, center, rotation };
    }
    case 2:
      return { kind: 'capsule', a: point(), b: point(), radius: next() };
    case 3:
      return { kind: 'segment', a: point(), b: point() };
    case 4: {
      const radius = next();
      return { kind: 'polygon', radius, points: Array.from({ length: next() }, point) };
    }
    default: {
      const width = next();
      const height = next();
      const pixelSize = next();
      const corner = point();
      const pixels = Uint8Array.from({ length: width * height }, next);
      return { kind: 'mask', width, height, pixels, pixelSize, origin: corner };
    }
  }
}
