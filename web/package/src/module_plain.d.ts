import type { Packed } from './unpack.js';

export const packed: Packed;
