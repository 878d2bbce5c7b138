import { parentPort, workerData } from 'node:worker_threads';
import { scanStrips, type StripOrder } from './scan-strips.ts';
import { openStripScanner } from './strip-scanner.ts';
import type { SharedMemory } from './web-assembly.ts';

/** What a scanning thread is started with. */
export type ThreadSetup = {
  readonly memory: SharedMemory;
  readonly threads: number;
  readonly thread: number;
  readonly plain: boolean;
};

/** One scan; `buffer` is the memory as it is now, since it may have grown. */
export type ThreadOrder = StripOrder & { readonly buffer: SharedArrayBuffer };

const setup = workerData as ThreadSetup;
const port = parentPort!;
let views = createViews(setup.memory.buffer);
const scanner = openStripScanner({ ...setup, readViews: () => views }, setup);

function createViews(buffer: SharedArrayBuffer) {
  return { bytes: new Int8Array(buffer), words: new Uint32Array(buffer) };
}

port.on('message', (order: ThreadOrder) => {
  if (order.buffer.byteLength !== views.bytes.byteLength) views = createViews(order.buffer);
  const found = scanStrips(scanner, order);
  port.postMessage(
    found,
    found.map(({ buffer }) => buffer),
  );
});
