import type { Aabb, Point } from 'broadside';

/** Maps the world to a canvas. */
export interface View {
  /** (unit: canvas pixels per length) */
  readonly scale: number;
  /** Of the world's origin (unit: canvas pixel). */
  readonly x: number;
  readonly y: number;
}

/** Fits a part of the world into a part of a canvas: complete, centered, with its aspect ratio. */
export function fit(world: Aabb, width: number, height: number, left = 0, top = 0): View {
  const wide = world.max.x - world.min.x;
  const high = world.max.y - world.min.y;
  const scale = Math.min(width / wide, height / high);
  return {
    scale,
    x: left + (width - wide * scale) / 2 - world.min.x * scale,
    y: top + (height - high * scale) / 2 - world.min.y * scale,
  };
}

/** Returns the world position of a pointer. */
export function worldAt(event: MouseEvent, canvas: HTMLCanvasElement, view: View): Point {
  const at = canvas.getBoundingClientRect();
  const perPixel = canvas.width / at.width;
  return {
    x: ((event.clientX - at.left) * perPixel - view.x) / view.scale,
    y: ((event.clientY - at.top) * perPixel - view.y) / view.scale,
  };
}

/** Adds a canvas that fills the stage at the screen's resolution; `changed` is called when that changes. */
export function addCanvas(stage: HTMLElement, changed: () => void = () => {}): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  stage.prepend(canvas);
  const resize = () => {
    const perPixel = Math.min(devicePixelRatio, 2); // more costs time, and is not visible
    const width = Math.max(1, Math.round(stage.clientWidth * perPixel));
    const height = Math.max(1, Math.round(stage.clientHeight * perPixel));
    const differs = canvas.width !== width || canvas.height !== height;
    if (differs) {
      canvas.width = width;
      canvas.height = height;
    }
    return differs;
  };
  resize();
  new ResizeObserver(() => {
    if (resize()) {
      changed();
    }
  }).observe(stage);
  return canvas;
}
