import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tidy.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    pool: 'threads',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
