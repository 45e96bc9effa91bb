import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findPairs, ready, techniqueNames } from '../dist/index.js';
import { install } from './installed.js';
import { random } from './random.js';

const next = random(24);
const boxes = Array.from({ length: 200 }, () => [100 * next(), 100 * next()].map(Math.fround))
  .flatMap(([x, y]) => [x!, y!, x! + 4, y! + 4]);

const script = `
  declare const process: { stdout: { write(text: string): void } };
  import { findPairs, ready, techniqueNames, World, circle } from 'broadside';
  import inline = require('broadside/inline');
  import { BroadsideBroadphase, type P2Aabb } from 'broadside/p2';
  import { install } from 'broadside/matter';

  async function main(): Promise<void> {
    await ready;
    const everywhere: P2Aabb = { lowerBound: [0, 0], upperBound: [1, 1] };
    const phase = new BroadsideBroadphase();
    phase.setWorld({ bodies: [], on() {}, off() {} });
    const world = new World();
    world.addAll([{ shape: circle(1) }, { shape: circle(1) }]);
    world.step(0);
    const found = {
      pairs: [...findPairs(new Float32Array(${JSON.stringify(boxes)}))],
      contacts: world.contactCount,
      isOneCopy: inline.World === World && inline.ready === ready,
      techniques: techniqueNames(),
      queries: phase.aabbQuery(undefined, everywhere).length,
      install: typeof install,
      hasLoad: 'load' in inline,
    };
    process.stdout.write(JSON.stringify(found));
  }
  void main();
`;

let folder: string;

beforeAll(() => {
  folder = install({
    'main.cts': script,
    'without_simd.cjs': 'WebAssembly.validate = () => false;',
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Runs a program of Node, which must succeed; returns what it writes. */
function run(...more: string[]): string {
  const { stdout, stderr } = spawnSync('node', more, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout;
}

const resolutions = [
  ['with the types that Node resolves', { module: 'node16' }],
  ['with the types that older compilers find', { module: 'commonjs', moduleResolution: 'node10' }],
] as const;

it.each(resolutions)('runs from a CommonJS script, %s', async (_, options) => {
  const lib = ['es2023', 'dom', 'esnext.disposable'];
  const strict = { strict: true, target: 'es2022', lib, types: [], skipDefaultLibCheck: true, ignoreDeprecations: '6.0' };
  const config = JSON.stringify({ compilerOptions: { ...strict, ...options }, files: ['main.cts'] });
  writeFileSync(join(folder, 'tsconfig.json'), config);
  expect(run(tsc)).toBe('');
  await ready;
  const found = {
    pairs: [...findPairs(new Float32Array(boxes))],
    contacts: 1,
    isOneCopy: true,
    techniques: techniqueNames(),
    queries: 0,
    install: 'function',
    hasLoad: false,
  };
  expect(found.pairs.length).toBeGreaterThan(100);
  expect(JSON.parse(run('main.cjs'))).toEqual(found);
  // The plain module is loaded by another `require`.
  expect(JSON.parse(run('--require', './without_simd.cjs', 'main.cjs'))).toEqual(found);
});
