import { parentPort, workerData } from 'node:worker_threads';
import { createSumLoop, type StreamOrder, type StreamSetup } from './stream-bound.ts';

// Worker data has no type; `stream-bound.ts` passes this one.
const sum = createSumLoop(workerData as StreamSetup);
parentPort!.on('message', ({ from, to }: StreamOrder) => {
  parentPort!.postMessage(sum(from, to), []);
});
