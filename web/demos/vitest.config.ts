import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    globalSetup: 'test/serve.ts',
    // A busy machine without a GPU draws a few frames per second.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Pages wait for the screen most of the time: two at once take half as long.
    maxWorkers: 2,
    isolate: false,
  },
});
