import path from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { runCleanUps } from './clean-up.ts';
import { leftOutTests, workersVariable } from './cluster/left-out.ts';

// Vitest runs this file for each test file, whereas it loads the modules that test files share once for many of them.
// A file that could not be loaded has registered clean-ups, and never got as far as its end.
await runCleanUps();
afterAll(runCleanUps);

if (process.env[workersVariable])
  beforeEach(({ task, skip }) => {
    const reasons = leftOutTests[path.relative('.', task.file.filepath)];
    skip(reasons?.[task.name] !== undefined);
  });
