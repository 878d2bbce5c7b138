import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { leftOutFiles } from './test/cluster/left-out.ts';
import { slowFiles } from './test/slow-files.ts';
import { processFiles, timedFiles } from './test/timed-files.ts';

const include = [
  'src/**/*.test.ts',
  'packages/**/*.test.ts',
  'client/src/**/*.test.ts',
  'test/**/*.test.ts',
  'tidy.test.ts',
];

/** The settings of every test file. */
const shared = {
  setupFiles: ['test/setup.ts'],
  pool: 'threads',
  // Loading the service takes longer than testing most files. Each file therefore sees the module state that earlier files left.
  isolate: false,
  // Node loads the modules as it does for users. Through the runner of Vite, each use of an import costs a call.
  experimental: { viteModuleRunner: false },
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A condition is awaited for as long as a busy machine may need; the default is one second.
  expect: { poll: { timeout: 120_000 } },
} satisfies TestProjectInlineConfiguration['test'];

/** Most files run three at a time: while one waits for the database or a timer, the others compute. */
const projects: TestProjectInlineConfiguration[] = [
  {
    test: {
      ...shared,
      name: 'together',
      include,
      exclude: [...processFiles, ...timedFiles],
      maxWorkers: 3,
      sequence: { groupOrder: 1 },
    },
  },
  {
    test: {
      ...shared,
      name: 'in pairs',
      include: [...processFiles],
      maxWorkers: 2,
      sequence: { groupOrder: 2 },
    },
  },
  {
    test: { ...shared, name: 'alone', include: [...timedFiles], maxWorkers: 1, sequence: { groupOrder: 3 } },
  },
];

/** Files in one project, as far as a mode leaves them in. */
const modes: Readonly<Record<string, TestProjectInlineConfiguration['test']>> = {
  fast: { ...shared, include, exclude: [...slowFiles], maxWorkers: '100%' },
  // A database of several servers answers slowly, and one file at a time.
  cluster: { ...shared, include, exclude: Object.keys(leftOutFiles), maxWorkers: 1 },
};

// `npm test` runs everything; `npm run test:fast` is the mode `fast`, and `test/cluster/run-citus.ts` uses `cluster`.
export default defineConfig(({ mode }) => ({
  test: { globalSetup: ['test/global-setup.ts'], ...(modes[mode] ?? { projects }) },
}));
