import type { TechniqueName } from 'broadside';

/** All techniques of the package, the default first. */
export const techniques = [
  'hierarchical-grid',
  'uniform-grid',
  'hash-grid',
  'sweep-and-prune',
  'quadtree',
  'kd-tree',
  'dynamic-tree',
  'brute-force',
] as const satisfies readonly TechniqueName[];
