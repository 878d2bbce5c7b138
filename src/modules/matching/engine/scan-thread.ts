import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import { scanStrips, type StripOrder } from './scan-strips.ts';
import { openStripScanner } from './strip-scanner.ts';
import type { SharedMemory } from './web-assembly.ts';

/** The data with which a scanning thread starts. */
export type ThreadSetup = {
  readonly memory: SharedMemory;
  readonly threads: number;
  readonly thread: number;
  readonly plain: boolean;
};

/** One scan. `buffer` is the current memory, which may have grown. */
export type ThreadOrder = StripOrder & { readonly buffer: SharedArrayBuffer };

if (!parentPort) throw new Error('this file runs in a worker thread only');
// Node types the data of a worker as `any`; `scanner.ts` always passes a setup.
startScans(parentPort, workerData as ThreadSetup);

/** Scans what the messages order, and replies to each. */
function startScans(port: MessagePort, setup: ThreadSetup): void {
  let views = createViews(setup.memory.buffer);
  const scanner = openStripScanner({ ...setup, readViews: () => views }, setup);
  port.on('message', (order: ThreadOrder) => {
    if (order.buffer.byteLength !== views.bytes.byteLength) views = createViews(order.buffer);
    const found = scanStrips(scanner, order);
    port.postMessage(
      found,
      found.map(({ buffer }) => buffer),
    );
  });
}

function createViews(buffer: SharedArrayBuffer) {
  return { bytes: new Int8Array(buffer), words: new Uint32Array(buffer) };
}
