/** All pages, in the order of the menu: folder, name in the menu, content of the page. */
export const pages = [
  { path: '', name: 'A million circles', title: 'Which circles touch?' },
  { path: 'chapter10', name: 'Chapter 10', title: 'Cells and their bodies' },
  { path: 'spatial-grid', name: 'Spatial grid', title: 'Brute force and a grid' },
  { path: 'pinball', name: 'Pinball', title: 'Pinball in p2' },
  { path: 'query-lab', name: 'Queries', title: 'Queries at the pointer' },
  { path: 'events', name: 'Events', title: 'Contact events' },
  { path: 'cliff', name: 'Cell size', title: 'When no cell size fits' },
  { path: 'race', name: 'Comparison', title: 'Same pairs, different cost' },
  { path: 'circles', name: 'JS vs. wasm', title: 'JavaScript vs. wasm' },
] as const;

export type PagePath = (typeof pages)[number]['path'];
