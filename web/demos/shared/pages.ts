/** All pages, in the order of the menu: folder, name there, what the page shows. */
export const pages = [{ path: '', name: 'A million', title: 'Which of these touch?' }] as const;

export type PagePath = (typeof pages)[number]['path'];
