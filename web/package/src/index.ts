import { start } from './engine.js';
import { plain, simd } from './inline.js';
import { hasSimd, unpack } from './variants.js';

export * from './api.js';

/**
 * Resolves when the module, which this package carries within itself, is ready for use.
 *
 * ```ts
 * import { findPairs, ready } from 'broadside';
 * await ready;
 * ```
 */
export const ready: Promise<void> = unpack(hasSimd() ? simd : plain).then(start);

export default ready;
