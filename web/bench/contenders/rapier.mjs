import * as RAPIER from '@dimforge/rapier2d-compat';
import { stepOf } from './rapier_step.mjs';

await RAPIER.init();

export const step = stepOf(RAPIER);
