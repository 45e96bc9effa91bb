import { defineConfig } from 'vite';
import { pages } from './shared/pages.ts';

export default defineConfig({
  base: './', // the built folder works at any address
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4000, // the package contains its wasm, as rapier does
    rolldownOptions: {
      input: Object.fromEntries(
        pages.map(({ path }) => [path || 'home', path === '' ? 'index.html' : `${path}/index.html`]),
      ),
    },
  },
  server: { host: '127.0.0.1' },
  preview: { host: '127.0.0.1' },
});
