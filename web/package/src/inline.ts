import { hasSimd, start } from './engine.js';
import { packed } from './module_simd.js';
import { unpack } from './unpack.js';

export * from './api.js';

// Without SIMD, which all browsers have had since 2023, the plain module is loaded as well.
const chosen = hasSimd() ? Promise.resolve(packed) : import('./module_plain.js').then((plain) => plain.packed);

/**
 * Resolves when the WebAssembly module, which is part of the scripts, is ready for use.
 *
 * ```ts
 * import { findPairs, ready } from 'broadside/inline';
 * await ready;
 * ```
 */
export const ready: Promise<void> = chosen.then(unpack).then(start);
