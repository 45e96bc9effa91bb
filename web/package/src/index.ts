import { start } from './engine.js';
import { packed } from './module_simd.js';
import { hasSimd, unpack } from './variants.js';

export * from './api.js';

// Where there is no SIMD, which has been everywhere since 2023, the module without it is loaded as well.
const chosen = hasSimd() ? Promise.resolve(packed) : import('./module_plain.js').then((plain) => plain.packed);

/**
 * Resolves when the module, which this package carries within itself, is ready for use.
 *
 * ```ts
 * import { findPairs, ready } from 'broadside';
 * await ready;
 * ```
 */
export const ready: Promise<void> = chosen.then(unpack).then(start);

export default ready;
