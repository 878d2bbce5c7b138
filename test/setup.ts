import { afterAll } from 'vitest';
import { runCleanUps } from './clean-up.ts';

// Vitest runs this file for each test file, whereas it loads the modules that test files share once for many of them.
// A file that could not be loaded has registered clean-ups, and never got as far as its end.
await runCleanUps();
afterAll(runCleanUps);
