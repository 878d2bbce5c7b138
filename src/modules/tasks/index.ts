export { cleanUp } from './clean-up.ts';
export { erasePersonalData, exportPersonalData } from './personal-data.ts';
export { readTask } from './read-task.ts';
export { findTask } from './store.ts';
export { queuedTaskWire } from './wire.ts';
