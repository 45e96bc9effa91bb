import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    pages: string;
    browser: string;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds the pages, serves them, and starts the one browser that all tests use. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  rmSync(join(root, 'out'), { recursive: true, force: true });
  await build({ root, logLevel: 'warn' });
  const server = await preview({ root, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launchServer({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) {
    throw new Error('the server says no address');
  }
  project.provide('pages', address);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
