import type { Circles } from './circles';
import type { Rival } from './rival';
import { rivalMatter } from './rival_matter';
import { rivalP2 } from './rival_p2';
import { rivalRapier } from './rival_rapier';

/** Each is loaded when it is selected. */
export const rivals: Readonly<Record<RivalName, (circles: Circles) => Promise<Rival>>> = {
  p2: rivalP2,
  'matter-js': rivalMatter,
  rapier: rivalRapier,
};

export const rivalNames = ['p2', 'matter-js', 'rapier'] as const;
export type RivalName = (typeof rivalNames)[number];
