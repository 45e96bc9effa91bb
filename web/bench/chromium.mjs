// The race in a browser: one page, built by Vite, in Debian's Chromium.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { launch, serve } from '../tools/browser.mjs';

const home = fileURLToPath(new URL('.', import.meta.url));
// Cross-origin isolation, which makes the resolution of the page's clock 5 us instead of 100.
const headers = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** Opens the page; returns functions that race and profile there, the latter in a page of its own, and one that closes it. */
export async function openPage() {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'));
  await build({
    root: home,
    configFile: false,
    logLevel: 'error',
    // For typedarray-pool, which box-intersect uses.
    define: { global: 'globalThis' },
    resolve: { alias: { buffer: join(home, 'buffer.mjs') } },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 10_000 },
  });
  const server = await serve(folder, { headers });
  const browser = await launch('--js-flags=--expose-gc');
  // Each page has its own context, and so an empty cache.
  const open = async () => {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(String(error)));
    await page.goto(`${server.address}/index.html`);
    await page.waitForFunction(() => globalThis.race !== undefined);
    return page;
  };
  const page = await open();
  return {
    version: `Chromium ${browser.version()}`,
    race: (...what) => page.evaluate((told) => globalThis.race(...told), what),
    profile: async (...what) => {
      const own = await open();
      const result = await own.evaluate((told) => globalThis.profile(...told), what);
      await own.close();
      return result;
    },
    close: async () => {
      await browser.close();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
