import type { Aabb, Point } from 'broadside';
import { ground } from './colours';
import { addCanvas, fit, worldAt, type View } from './view';

/** A picture drawn by Canvas2D in world units: for few bodies, text and fine lines. */
export class Flat {
  readonly canvas: HTMLCanvasElement;
  readonly ink: CanvasRenderingContext2D;
  view: View = { scale: 1, x: 0, y: 0 };

  constructor(stage: HTMLElement, changed?: () => void) {
    this.canvas = addCanvas(stage, changed);
    this.ink = this.canvas.getContext('2d')!; // never null, as this canvas has no other context
  }

  /** The size of a screen pixel (unit: length). */
  get hair(): number {
    return Math.min(devicePixelRatio, 2) / this.view.scale;
  }

  /** Clears the picture and switches to world coordinates. */
  begin(world: Aabb): void {
    const { canvas, ink } = this;
    ink.setTransform(1, 0, 0, 1, 0, 0);
    ink.fillStyle = ground;
    ink.fillRect(0, 0, canvas.width, canvas.height);
    this.look(fit(world, canvas.width, canvas.height));
  }

  /** Clears the picture to transparent. */
  beginOver(): void {
    this.ink.setTransform(1, 0, 0, 1, 0, 0);
    this.ink.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /** Switches to the world coordinates of a view. */
  look(view: View): void {
    this.view = view;
    this.ink.setTransform(view.scale, 0, 0, view.scale, view.x, view.y);
    this.ink.lineWidth = this.hair;
  }

  /** Returns the world position of a pointer. */
  at(event: MouseEvent): Point {
    return worldAt(event, this.canvas, this.view);
  }

  box({ min, max }: Aabb): void {
    this.ink.fillRect(min.x, min.y, max.x - min.x, max.y - min.y);
  }

  frame({ min, max }: Aabb): void {
    this.ink.strokeRect(min.x, min.y, max.x - min.x, max.y - min.y);
  }

  disc({ x, y }: Point, radius: number): void {
    this.ink.beginPath();
    this.ink.arc(x, y, radius, 0, 2 * Math.PI);
    this.ink.fill();
  }

  ring({ x, y }: Point, radius: number): void {
    this.ink.beginPath();
    this.ink.arc(x, y, radius, 0, 2 * Math.PI);
    this.ink.stroke();
  }

  line(from: Point, to: Point): void {
    this.ink.beginPath();
    this.ink.moveTo(from.x, from.y);
    this.ink.lineTo(to.x, to.y);
    this.ink.stroke();
  }

  /** Draws the lines of a grid that begins at the min corner of the world. */
  grid(world: Aabb, cell: number): void {
    const { ink } = this;
    ink.beginPath();
    for (let { x } = world.min; x <= world.max.x; x += cell) {
      ink.moveTo(x, world.min.y);
      ink.lineTo(x, world.max.y);
    }
    for (let { y } = world.min; y <= world.max.y; y += cell) {
      ink.moveTo(world.min.x, y);
      ink.lineTo(world.max.x, y);
    }
    ink.stroke();
  }
}

/** Returns a world as wide as the stage, at least `least`: on a phone objects get smaller, not fewer. */
export function worldOf(stage: HTMLElement, least: number): Aabb {
  const scale = Math.max(1, least / stage.clientWidth);
  return {
    min: { x: 0, y: 0 },
    max: { x: Math.round(stage.clientWidth * scale), y: Math.round(stage.clientHeight * scale) },
  };
}
