import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import * as bytecode from '../dist/bytecode.js';
import * as model from '../dist/model.js';
import { unpack } from '../dist/unpack.js';
import { pack } from '../scripts/pack.mjs';
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
  const broadside = await import('../dist/inline.js');
  await broadside.ready;
  const compiled = compile.mock.calls.map(([bytes]) => Buffer.from(bytes as Uint8Array));
  const those = (['simd', 'plain'] as const).filter((name) => compiled.some((bytes) => bytes.equals(modules[name])));
  expect(those).toEqual([variant]);
  hashes.push(story(broadside));
  expect(hashes.at(-1)).toBe(hashes[0]);
});

it('packs the smallest module, and one of a single function', async () => {
  const empty = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const type = [1, 7, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f, 3, 2, 1, 0];
  const sum = [...empty, ...type, 7, 7, 1, 3, 0x73, 0x75, 0x6d, 0, 0, 10, 9, 1, 7, 0, 0x20, 0, 0x20, 1, 0x6a, 0x0b];
  const unpacked = (module: number[]) => unpack(pack(Uint8Array.from(module), bytecode, model));
  expect(WebAssembly.Module.exports(await unpacked(empty))).toEqual([]);
  const { exports } = await WebAssembly.instantiate(await unpacked(sum));
  expect((exports['sum'] as (a: number, b: number) => number)(2, 3)).toBe(5);
});
