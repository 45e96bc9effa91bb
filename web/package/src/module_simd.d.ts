import type { Packed } from './variants.js';

export const packed: Packed;
