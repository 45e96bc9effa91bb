import { BroadPhase, type Aabb, type TechniqueName } from 'broadside';

/** The cost of moving all boxes and finding the pairs. */
export interface Cost {
  readonly tests: number;
  readonly ms: number;
  readonly bytes: number;
  readonly pairs: number;
}

const least = 3; // clocks of browsers are too coarse for shorter times (unit: millisecond)

/**
 * Moves all boxes from where they were, and finds the pairs; then does so to and fro until the time is long enough to
 * measure. The counts are those of the first time, so that they do not depend on the clock.
 */
export function measure(technique: TechniqueName, before: Float32Array, boxes: Float32Array, cellSize?: number): Cost {
  const bounds = boundsOf(before);
  const phase = new BroadPhase(technique, cellSize === undefined ? {} : { cellSize, bounds });
  const indices = phase.add(before);
  phase.findPairs(); // building the structure is not part of a frame's cost
  phase.move(indices, boxes);
  const pairs = phase.findPairs().length / 2;
  const { tests, bytes } = phase.statistics();
  const started = performance.now();
  let runs = 0;
  let passed = 0;
  while (passed < least) {
    phase.move(indices, ++runs % 2 === 0 ? boxes : before);
    phase.findPairs();
    passed = performance.now() - started;
  }
  return { tests, ms: passed / runs, bytes, pairs };
}

export function boundsOf(boxes: Float32Array): Aabb {
  const corners = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < boxes.length; ++i) {
    const side = i & 3;
    corners[side] = (side < 2 ? Math.min : Math.max)(corners[side]!, boxes[i]!);
  }
  return { min: { x: corners[0]!, y: corners[1]! }, max: { x: corners[2]!, y: corners[3]! } };
}
