import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { story } from './page/story.js';

afterEach(() => vi.restoreAllMocks());

const read = (file: string) => readFileSync(new URL(`../dist/${file}`, import.meta.url));
const modules = { simd: read('broadside.wasm'), plain: read('broadside-plain.wasm') };
const hashes: bigint[] = [];

it.each(['simd', 'plain'] as const)('takes the module %s where it fits, with the same hash', async (variant) => {
  vi.resetModules();
  if (variant === 'plain') {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
  }
  const compile = vi.spyOn(WebAssembly, 'compile');
  const broadside = await import('../dist/index.js');
  await broadside.ready;
  const compiled = compile.mock.calls.map(([bytes]) => Buffer.from(bytes as Uint8Array));
  const those = (['simd', 'plain'] as const).filter((name) => compiled.some((bytes) => bytes.equals(modules[name])));
  expect(those).toEqual([variant]);
  hashes.push(story(broadside));
  expect(hashes.at(-1)).toBe(hashes[0]);
});
