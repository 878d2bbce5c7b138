import { parentPort, workerData } from 'node:worker_threads';
import { summing, type StreamOrder, type StreamSetup } from './stream-bound.ts';

const sum = summing(workerData as StreamSetup);
parentPort!.on('message', ({ from, to }: StreamOrder) => {
  parentPort!.postMessage(sum(from, to), []);
});
