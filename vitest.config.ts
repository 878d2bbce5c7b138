import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tidy.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    // Loading the service takes longer than most files take to test it. What a file leaves behind, the next one has to live with.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
