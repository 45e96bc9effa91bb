import { statSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { story } from './page/story.js';

afterEach(() => vi.restoreAllMocks());

const sizeOf = (file: string) => statSync(new URL(`../dist/${file}`, import.meta.url)).size;
const sizes = { simd: sizeOf('broadside.wasm'), plain: sizeOf('broadside-plain.wasm') };
const hashes: bigint[] = [];

it.each(['simd', 'plain'] as const)('takes the module %s where it fits, with the same hash', async (variant) => {
  vi.resetModules();
  if (variant === 'plain') {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  }
  const compile = vi.spyOn(WebAssembly, 'compile');
  const broadside = await import('../dist/index.js');
  await broadside.ready;
  const compiled = compile.mock.calls.map(([bytes]) => bytes.byteLength);
  expect(compiled.filter((size) => Object.values(sizes).includes(size))).toEqual([sizes[variant]]);
  hashes.push(story(broadside));
  expect(hashes.at(-1)).toBe(hashes[0]);
});
