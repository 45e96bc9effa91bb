import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    globalSetup: 'test/serve.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Pages wait for the screen most of the time: two at once take half as long.
    maxWorkers: 2,
    isolate: false,
  },
});
