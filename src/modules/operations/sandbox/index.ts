export { account_count, formatMemberEmail } from './rules.ts';
export { advanceClock } from './advance-clock.ts';
export { markMails } from './mark-mail.ts';
export { moveClock } from './move-clock.ts';
export { openSandbox } from './open-sandbox.ts';
export { readSandbox } from './read-sandbox.ts';
export { findSandbox, recordSeed } from './store.ts';
export { cancelYear } from './year/cancel-year.ts';
export { startYear } from './year/start-year.ts';
