import { afterAll } from 'vitest';
import { runCleanUps } from './clean-up.ts';

// Vitest runs this file for each test file, whereas it loads the modules that test files share once for many of them.
afterAll(runCleanUps);
