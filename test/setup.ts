import { afterAll } from 'vitest';
import { closeApps } from './harness.ts';

// Runs anew for each test file, whereas the modules that files share are loaded once for many of them.
afterAll(closeApps);
