import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as broadside from '../dist/index.js';
import { story } from './page/story.js';

const home = fileURLToPath(new URL('..', import.meta.url));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

let browser: Browser;
let built: string;
const servers: Server[] = [];

/** Serves a folder on this machine; returns its address. */
async function serve(folder: string, pages: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, answer) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    const type = types[extname(path)] ?? 'text/html';
    const bytes = path in pages ? Promise.resolve(pages[path]) : readFile(join(folder, path));
    bytes.then(
      (body) => answer.writeHead(200, { 'content-type': type }).end(body),
      () => answer.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Opens a page, and returns its title once it has one that begins with a number. */
async function titleOf(address: string): Promise<string> {
  const page = await browser.newPage();
  const wrong: string[] = [];
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(String(error)));
  await page.goto(address);
  await page.waitForFunction(() => /^\d/.test(document.title), undefined, { timeout: 20_000 }).catch(() => {});
  const title = await page.title();
  await page.close();
  expect(wrong).toEqual([]);
  return title;
}

beforeAll(async () => {
  await broadside.ready;
  built = await mkdtemp(join(tmpdir(), 'broadside-'));
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}, 60_000);

afterAll(async () => {
  await browser?.close();
  servers.forEach((server) => server.close());
  await rm(built, { recursive: true, force: true });
});

it('runs from a plain script, with the hash that Node has', async () => {
  const page = `<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module">
    import ready, { World } from '/dist/index.js';
    await ready;
    const world = new World({ response: 'bounce' });
    const positions = Float32Array.from({ length: 1000 }, (_, i) => (i * 7919) % 500);
    world.addCircles({ positions, radii: 4, velocities: positions.map((x) => x / 10 - 25) });
    for (let step = 0; step < 120; ++step) world.step(1 / 60);
    document.title = world.hash();
  </script>`;
  expect(await titleOf(await serve(home, { '/': page }))).toBe(String(story(broadside)));
}, 60_000);

it('runs from what Vite builds without a setting, both ways', async () => {
  await build({
    root: join(home, 'test', 'page'),
    logLevel: 'error',
    configFile: false,
    build: { outDir: built, emptyOutDir: true, target: 'es2022' },
  });
  const hash = story(broadside);
  const address = await serve(built);
  expect(await titleOf(`${address}/index.html`)).toBe(`${hash} ${hash}`);
}, 60_000);
