import { box, type Aabb, type World } from 'broadside';

/** Adds four walls around an area, as thick as it is wide, so that nothing tunnels through them. */
export function addWalls(world: World, { min, max }: Aabb): void {
  const wide = max.x - min.x;
  const high = max.y - min.y;
  const thick = Math.max(wide, high);
  const x = (min.x + max.x) / 2;
  const y = (min.y + max.y) / 2;
  world.addAll(
    [
      { shape: box(thick, high + 2 * thick), position: { x: min.x - thick / 2, y } },
      { shape: box(thick, high + 2 * thick), position: { x: max.x + thick / 2, y } },
      { shape: box(wide + 2 * thick, thick), position: { x, y: min.y - thick / 2 } },
      { shape: box(wide + 2 * thick, thick), position: { x, y: max.y + thick / 2 } },
    ].map((wall) => ({ ...wall, type: 'static' as const, tag: 'wall' })),
  );
}
