export { advanceClock } from './advance-clock.ts';
export { markMails } from './mark-mail.ts';
export { moveClock } from './move-clock.ts';
export { openSandbox } from './open-sandbox.ts';
export { readSandbox } from './read-sandbox.ts';
export { findSandbox, recordSeed } from './store.ts';
