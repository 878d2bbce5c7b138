export { cleanUp } from './clean-up.ts';
export { readTask } from './read-task.ts';
export { queuedTaskWire } from './wire.ts';
