import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    globalSetup: 'test/serve.ts',
    testTimeout: 30_000,
    hookTimeout: 30_000,
    fileParallelism: false, // one browser, and frame times that mean something
  },
});
