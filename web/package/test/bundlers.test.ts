import { nodeResolve } from '@rollup/plugin-node-resolve';
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as buildByEsbuild } from 'esbuild';
import type { Browser } from 'playwright-core';
import { rollup } from 'rollup';
import { build as buildByVite, createServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import webpack from 'webpack';
import { launch, serve } from '../../tools/browser.mjs';
import { install } from './installed.js';

const pairs = 'String(findPairs(new Float32Array([0, 0, 1, 1, 5, 5, 6, 6, 1, 1, 2, 2])))';
const expected = '0,2';
const show = `document.title = ${pairs};`;
const answer = `postMessage(${pairs});`;
const head = '<!doctype html><title>…</title><link rel="icon" href="data:,">';
const pageOf = (script: string, type = 'type="module"') => `${head}<script ${type} src="${script}" defer></script>`;
const imported = (entry: string, then: string) =>
  `import { findPairs, ready } from '${entry}';\n(async () => { await ready; ${then} })();\n`;

const files = {
  'main.mjs': imported('broadside', show),
  'inline.mjs': imported('broadside/inline', show),
  'worker.mjs': imported('broadside', answer),
  'working.mjs': `new Worker(new URL('./worker.mjs', import.meta.url), { type: 'module' }).onmessage = ({ data }) => {
    document.title = data;
  };`,
  'address.mjs': `import { findPairs, load } from 'broadside';\nload('/broadside.wasm').then(() => { ${show} });\n`,
  'main.html': pageOf('/main.mjs'),
  'inline.html': pageOf('/inline.mjs'),
  'working.html': pageOf('/working.mjs'),
  'required.test.cjs': `it('finds a pair', async () => {
    const { findPairs, ready } = require('broadside');
    await ready;
    expect(${pairs}).toBe('${expected}');
  });`,
  'imported.test.mjs': `import { findPairs, ready } from 'broadside';
  it('finds a pair', async () => {
    await ready;
    expect(${pairs}).toBe('${expected}');
  });`,
};

let folder: string;
let browser: Browser;

const at = (path: string) => join(folder, path);
const copyModule = (to: string) =>
  copyFileSync(at('node_modules/broadside/dist/broadside.wasm'), at(`${to}/broadside.wasm`));
const bin = (path: string) => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

/** Opens a page, which must find the pair without an error; returns the names of the modules that it has loaded. */
async function modulesOf(address: string): Promise<string[]> {
  const page = await browser.newPage();
  const wrong: string[] = [];
  const modules: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  page.context().on('request', (request) => request.url().endsWith('.wasm') && modules.push(request.url()));
  await page.goto(address);
  // Not `waitForFunction`, which needs `eval`.
  await expect.poll(async () => [await page.title(), wrong], { timeout: 20_000 }).toEqual([expected, []]);
  await page.close();
  return modules.map((url) => url.split('/').at(-1)!);
}

/** Opens pages of a folder; returns the modules that they have loaded. */
async function visit(name: string, pages: string[], served: Parameters<typeof serve>[1] = {}): Promise<string[]> {
  const server = await serve(at(name), served);
  const modules: string[] = [];
  for (const page of pages) {
    modules.push(...(await modulesOf(`${server.address}/${page}`)));
  }
  server.close();
  return modules;
}

/** The pages that load scripts of these names. */
function pagesOf(names: string[], type?: string): { pages: Record<string, string> } {
  return { pages: Object.fromEntries(names.map((name) => [`/${name}`, pageOf(`/${name}.js`, type)])) };
}

beforeAll(async () => {
  folder = install(files);
  browser = await launch();
});

afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const simd = expect.stringMatching(/^broadside(?!-plain).*\.wasm$/);

describe('the packed package finds a pair', () => {
  it('in what Vite builds, also in a worker', async () => {
    const input = ['main.html', 'inline.html', 'working.html'].map(at);
    const options = { outDir: 'vite', rollupOptions: { input } };
    await buildByVite({ root: folder, logLevel: 'error', configFile: false, build: options });
    expect(await visit('vite', ['main.html', 'inline.html', 'working.html'])).toEqual([simd, simd]);
  });

  it('from the development server of Vite, also in a worker', async () => {
    const options = { port: 0, host: '127.0.0.1' };
    const server = await createServer({ root: folder, logLevel: 'error', configFile: false, server: options });
    await server.listen();
    const address = server.resolvedUrls!.local[0]!;
    expect(await modulesOf(`${address}main.html`)).toEqual([simd]);
    expect(await modulesOf(`${address}inline.html`)).toEqual([]);
    expect(await modulesOf(`${address}working.html`)).toEqual([simd]);
    await server.close();
  });

  it('in what webpack builds, also in a worker', async () => {
    const entry = { main: './main.mjs', inline: './inline.mjs', working: './working.mjs' };
    const output = { path: at('webpack'), filename: '[name].js', assetModuleFilename: '[name][ext]' };
    const compiler = webpack({ mode: 'production', context: folder, entry, output, performance: { hints: false } })!;
    const wrong = await new Promise((done) => {
      compiler.run((error, stats) => done(error ?? stats!.toString({ all: false, errors: true, warnings: true })));
    });
    expect(wrong).toBe('');
    const names = Object.keys(entry);
    expect(await visit('webpack', names, pagesOf(names, ''))).toEqual([simd, simd]);
  });

  it('in what Rollup builds, with the module copied next to it', async () => {
    const wrong: string[] = [];
    const input = [at('main.mjs'), at('inline.mjs')];
    const built = await rollup({ input, plugins: [nodeResolve()], onwarn: ({ message }) => wrong.push(message) });
    await built.write({ dir: at('rollup') });
    expect(wrong).toEqual([]);
    copyModule('rollup');
    const names = ['main', 'inline'];
    expect(await visit('rollup', names, pagesOf(names))).toEqual([simd]);
  });

  it('in what esbuild builds, with the module copied next to it', async () => {
    const entryPoints = ['main.mjs', 'inline.mjs'].map(at);
    await buildByEsbuild({ entryPoints, bundle: true, splitting: true, format: 'esm', outdir: at('esbuild') });
    copyModule('esbuild');
    const names = ['main', 'inline'];
    expect(await visit('esbuild', names, pagesOf(names))).toEqual([simd]);
  });

  it('in a script without modules, which loads it from an address or has it inside', async () => {
    const entryPoints = ['address.mjs', 'inline.mjs'].map(at);
    const outdir = at('iife');
    const logOverride = { 'empty-import-meta': 'silent' } as const;
    await buildByEsbuild({ entryPoints, bundle: true, format: 'iife', outdir, logOverride });
    copyModule('iife');
    const names = ['address', 'inline'];
    expect(await visit('iife', names, pagesOf(names, ''))).toEqual([simd]);
  });

  it('in a module worker and in a page with a strict policy', async () => {
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";
    const dist = '/node_modules/broadside/dist/';
    const pages = {
      '/main.js': imported(`${dist}index.js`, show),
      '/inline.js': imported(`${dist}inline.js`, show),
      '/worker.js': imported(`${dist}index.js`, answer),
      '/working.js': files['working.mjs'].replace('.mjs', '.js'),
    };
    const names = ['main', 'inline', 'working'];
    const served = { pages: { ...pages, ...pagesOf(names).pages }, headers: { 'content-security-policy': policy } };
    expect(await visit('.', names, served)).toEqual([simd, simd]);
  });

  const runners = [
    ['Node', ['--input-type=module', '--eval', imported('broadside', `if (${pairs} !== '${expected}') process.exit(1);`)]],
    ['Jest', [bin('jest/bin/jest.js'), '--rootDir', '.', '--testMatch', '**/*.test.cjs']],
    ['Vitest', [bin('vitest/vitest.mjs'), 'run', '--globals', 'imported.test.mjs']],
  ] as const;

  it.each(runners)('in %s', (_, call) => {
    const { status, stdout, stderr } = spawnSync('node', call, { cwd: folder, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  });
});
