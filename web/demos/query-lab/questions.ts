import { circle, type Aabb, type Body, type Point, type QueryOptions, type World } from 'broadside';
import { faded, ink as white, okabeIto } from '../shared/colours';
import type { Flat } from '../shared/flat';
import { capsulePath } from '../shared/outline';

/** The results of a query, and how they are drawn. */
export interface Answer {
  readonly first: Body | undefined;
  readonly found: readonly Body[];
  draw(flat: Flat): void;
}

export type QuestionName = 'ray' | 'cast' | 'area' | 'nearest';
export const questionNames: readonly QuestionName[] = ['ray', 'cast', 'area', 'nearest'];

const options: QueryOptions = { staticBodies: false }; // without the walls
const castRadius = 16;
const nearestCount = 8;

function along(from: Point, way: Point, time: number): Point {
  return { x: from.x + way.x * time, y: from.y + way.y * time };
}

function boxOf(a: Point, b: Point): Aabb {
  return {
    min: { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) },
    max: { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y) },
  };
}

function drawArrow(flat: Flat, from: Point, normal: Point): void {
  flat.ink.strokeStyle = white;
  flat.ink.lineWidth = 1.6;
  flat.line(from, along(from, normal, 22));
}

function ray(world: World, from: Point, to: Point): Answer {
  const way = { x: to.x - from.x, y: to.y - from.y };
  const hits: { readonly body: Body; readonly point: Point; readonly normal: Point }[] = [];
  world.visitRay(from, way, (hit) => void hits.push(hit), options);
  return {
    first: hits[0]?.body,
    found: hits.map(({ body }) => body),
    draw(flat) {
      const { ink } = flat;
      ink.lineWidth = 2;
      ink.strokeStyle = faded(okabeIto.sky, 0.4);
      flat.line(from, to);
      const end = hits[0]?.point ?? to;
      ink.strokeStyle = okabeIto.sky;
      flat.line(from, end);
      hits.forEach(({ point, normal }, i) => {
        ink.fillStyle = i === 0 ? white : faded(white, 0.45);
        flat.disc(point, i === 0 ? 4 : 2.5);
        if (i === 0) {
          drawArrow(flat, point, normal);
        }
      });
    },
  };
}

function cast(world: World, from: Point, to: Point): Answer {
  const way = { x: to.x - from.x, y: to.y - from.y };
  const hit = world.castShape(circle(castRadius), from, way, options);
  const end = along(from, way, hit?.fraction ?? 1);
  return {
    first: hit?.body,
    found: hit === undefined ? [] : [hit.body],
    draw(flat) {
      const { ink } = flat;
      ink.fillStyle = faded(okabeIto.sky, 0.14);
      ink.beginPath();
      capsulePath(ink, from, end, castRadius);
      ink.fill();
      ink.lineWidth = 2;
      ink.strokeStyle = faded(okabeIto.sky, 0.35);
      flat.ring(to, castRadius);
      ink.strokeStyle = okabeIto.sky;
      flat.ring(from, castRadius);
      flat.ring(end, castRadius);
      if (hit !== undefined) {
        ink.fillStyle = white;
        flat.disc(hit.point, 4);
        drawArrow(flat, hit.point, hit.normal);
      }
    },
  };
}

function area(world: World, from: Point, to: Point): Answer {
  const corners = boxOf(from, to);
  const found = world.queryArea(corners, options);
  return {
    first: undefined,
    found,
    draw(flat) {
      flat.ink.fillStyle = faded(okabeIto.sky, 0.1);
      flat.box(corners);
      flat.ink.lineWidth = 2;
      flat.ink.strokeStyle = okabeIto.sky;
      flat.frame(corners);
    },
  };
}

function nearest(world: World, _: Point, to: Point): Answer {
  const near = world.nearest(to, nearestCount, undefined, options);
  return {
    first: near[0]?.body,
    found: near.map(({ body }) => body),
    draw(flat) {
      const { ink } = flat;
      near.forEach(({ point, distance }, i) => {
        ink.lineWidth = i === 0 ? 2 : 1.2;
        ink.strokeStyle = faded(okabeIto.sky, i === 0 ? 1 : 0.55);
        flat.line(to, point);
        ink.fillStyle = i === 0 ? white : faded(white, 0.5);
        flat.disc(point, i === 0 ? 4 : 2.5);
        if (i === near.length - 1) {
          ink.strokeStyle = faded(okabeIto.sky, 0.25);
          flat.ring(to, distance);
        }
      });
    },
  };
}

/** The queries, each from a point to the pointer. */
export const questions: Readonly<Record<QuestionName, (world: World, from: Point, to: Point) => Answer>> = {
  ray,
  cast,
  area,
  nearest,
};

