import { defineConfig } from 'vitest/config';
import { slowFiles } from './test/slow-files.ts';

// `npm test` runs everything; `npm run test:fast` is the mode `fast`.
export default defineConfig(({ mode }) => ({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'tidy.test.ts'],
    ...(mode === 'fast' && { exclude: [...slowFiles], maxWorkers: '100%' }),
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'threads',
    // Loading the service takes longer than testing most files. Each file therefore sees the module state that earlier files left.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
}));
