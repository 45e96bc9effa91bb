// For tests and benchmarks of pages: serves a folder on this machine, and starts Debian's Chromium.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Serves a folder, and `pages` given as texts by path.
 *
 * @returns its address, the requested paths, and a function that stops it
 */
export async function serve(folder, { pages = {}, headers = {} } = {}) {
  const asked = [];
  const server = createServer((request, answer) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    asked.push(path);
    const bytes = path in pages ? Promise.resolve(pages[path]) : readFile(join(folder, path));
    bytes.then(
      (body) => answer.writeHead(200, { ...headers, 'content-type': types[extname(path)] ?? 'text/html' }).end(body),
      () => answer.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  return { address: `http://127.0.0.1:${server.address().port}`, asked, close: () => server.close() };
}

/** Returns the options to start the browser: Debian's, or the one that `CHROMIUM` names. */
function options(more) {
  return {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...more,
    ],
  };
}

/** Starts the browser. */
export function launch(...more) {
  return chromium.launch(options(more));
}

/** Starts the browser as a server for several clients. */
export function launchServer(...more) {
  return chromium.launchServer(options(more));
}

/** Arguments for pages that draw with WebGL. */
export const withWebGl = ['--headless=new', '--enable-unsafe-swiftshader'];
