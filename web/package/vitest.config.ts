import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
