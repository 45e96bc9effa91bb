import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { launchServer, withWebGl } from '../../tools/browser.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    pages: string;
    browser: string;
  }
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Builds the pages, serves them, and starts the browser that all tests share. */
export default async function serve(project: TestProject): Promise<() => Promise<void>> {
  rmSync(join(root, 'out'), { recursive: true, force: true });
  await build({ root, logLevel: 'warn' });
  const server = await preview({ root, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await launchServer(...withWebGl);
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) {
    throw new Error('the server reports no address');
  }
  project.provide('pages', address);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
