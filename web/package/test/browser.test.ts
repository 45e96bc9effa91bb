import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launch, serve } from '../../tools/browser.mjs';
import * as broadside from '../dist/index.js';
import { story } from './page/story.js';

const home = fileURLToPath(new URL('..', import.meta.url));

let browser: Browser;
let built: string;

interface Visit {
  readonly title: string;
  /** Requested paths of the build without SIMD. */
  readonly plain: string[];
}

/** Opens a page of a folder with or without SIMD, and waits for its title to begin with a number. */
async function visit(path: string, simd: boolean, folder: string, pages: Record<string, string> = {}): Promise<Visit> {
  const server = await serve(folder, { pages });
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  if (!simd) {
    await page.addInitScript(() => {
      WebAssembly.validate = () => false;
    });
  }
  await page.goto(server.address + path);
  await page.waitForFunction(() => /^\d/.test(document.title), undefined, { timeout: 20_000 }).catch(() => {});
  const title = await page.title();
  await page.close();
  server.close();
  expect(wrong).toEqual([]);
  return { title, plain: server.asked.filter((asked) => asked.includes('plain')) };
}

beforeAll(async () => {
  await broadside.ready;
  browser = await launch();
  built = await mkdtemp(join(tmpdir(), 'broadside-'));
  await build({
    root: join(home, 'test', 'page'),
    logLevel: 'error',
    configFile: false,
    build: { outDir: built, emptyOutDir: true, target: 'es2022' },
  });
}, 60_000);

afterAll(async () => {
  await browser?.close();
  await rm(built, { recursive: true, force: true });
});

describe.each([
  ['with SIMD', true],
  ['without SIMD', false],
])('%s', (_, simd) => {
  it('runs from a plain script, with the hash that Node has', async () => {
    const page = `<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module">
      import { ready, World } from '/dist/index.js';
      await ready;
      const world = new World({ response: 'bounce' });
      const positions = Float32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 500);
      world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
      for (let step = 0; step < 120; ++step) world.step(1 / 60);
      document.title = world.hash();
    </script>`;
    const { title, plain } = await visit('/', simd, home, { '/': page });
    expect(title).toBe(String(story(broadside)));
    expect(plain).toEqual(simd ? [] : ['/dist/broadside-plain.wasm']);
  }, 60_000);

  it('runs from what Vite builds without a setting, both ways', async () => {
    for (const [page, module] of [
      ['/index.html', /broadside-plain.*\.wasm$/],
      ['/index.html#inline', /module_plain.*\.js$/],
    ] as const) {
      const { title, plain } = await visit(page, simd, built);
      expect(title).toBe(String(story(broadside)));
      expect(plain).toEqual(simd ? [] : [expect.stringMatching(module)]);
    }
  }, 60_000);
});
