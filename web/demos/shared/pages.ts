/** All pages, in the order of the menu: folder, name in the menu, content of the page. */
export const pages = [
  { path: '', name: 'A million', title: 'Which of these touch?' },
  { path: 'chapter10', name: 'Chapter 10', title: 'Cells, and who is in them' },
  { path: 'spatial-grid', name: 'Spatial grid', title: 'Every pair, or a grid' },
  { path: 'pinball', name: 'Pinball', title: 'Pinball, inside p2' },
  { path: 'query-lab', name: 'Queries', title: 'What is over there?' },
  { path: 'events', name: 'Events', title: 'Begin, stay, end' },
  { path: 'cliff', name: 'The cliff', title: 'The size that fits nobody' },
  { path: 'race', name: 'The race', title: 'Same pairs, different work' },
  { path: 'circles', name: 'Circles', title: 'JavaScript against wasm' },
] as const;

export type PagePath = (typeof pages)[number]['path'];
