import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/*.test.mjs'],
    // A busy machine takes several times as long as a quiet one.
    testTimeout: 60_000,
  },
});
