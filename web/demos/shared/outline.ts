import type { Point, Shape } from 'broadside';

/** Begins a path around a shape at a position and angle; masks are not supported, as no page uses them. */
export function outline(ink: CanvasRenderingContext2D, shape: Shape, { x, y }: Point, angle = 0): void {
  ink.save();
  ink.translate(x, y);
  ink.rotate(angle);
  ink.beginPath();
  if (shape.kind === 'circle') {
    ink.arc(shape.center?.x ?? 0, shape.center?.y ?? 0, shape.radius, 0, 2 * Math.PI);
  } else if (shape.kind === 'box') {
    ink.rect(-shape.width / 2, -shape.height / 2, shape.width, shape.height);
  } else if (shape.kind === 'capsule') {
    capsulePath(ink, shape.a, shape.b, shape.radius);
  } else if (shape.kind === 'polygon') {
    for (const corner of shape.points) {
      ink.lineTo(corner.x, corner.y);
    }
    ink.closePath();
  }
  ink.restore();
}

/** Adds the outline of a capsule. */
export function capsulePath(ink: CanvasRenderingContext2D, a: Point, b: Point, radius: number): void {
  const way = Math.atan2(b.y - a.y, b.x - a.x);
  ink.arc(a.x, a.y, radius, way + Math.PI / 2, way - Math.PI / 2);
  ink.arc(b.x, b.y, radius, way - Math.PI / 2, way + Math.PI / 2);
  ink.closePath();
}
