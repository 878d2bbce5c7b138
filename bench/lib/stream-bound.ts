import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import wabt from 'wabt';

/**
 * Measures how fast this machine reads memory, with a WebAssembly loop that adds 64 bytes in each iteration. One thread reads all bytes
 * of a shared memory, or two threads read one half each. A scan over the same number of bytes cannot be much faster.
 */
export type StreamBound = {
  /** Measures the milliseconds that it takes to read the first `bytes` once. */
  measureRead(bytes: number, threads: 1 | 2): Promise<number>;
};

/** The data with which a reading thread starts. */
export type StreamSetup = { readonly program: Uint8Array; readonly memory: object };

/** The range of bytes that a thread reads. */
export type StreamOrder = { readonly from: number; readonly to: number };

const source = `(module
  (import "stream" "memory" (memory 1 65536 shared))
  (func (export "sum") (param $at i32) (param $end i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $next
      (local.set $a (i8x16.add (local.get $a) (v128.load (local.get $at))))
      (local.set $b (i8x16.add (local.get $b) (v128.load offset=16 (local.get $at))))
      (local.set $c (i8x16.add (local.get $c) (v128.load offset=32 (local.get $at))))
      (local.set $d (i8x16.add (local.get $d) (v128.load offset=48 (local.get $at))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32x4.extract_lane 0 (i8x16.add (i8x16.add (local.get $a) (local.get $b)) (i8x16.add (local.get $c) (local.get $d))))))`;

type Sum = (from: number, to: number) => number;

// The types of Node do not declare WebAssembly.
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (options: object) => { readonly buffer: SharedArrayBuffer };
    readonly Module: new (program: Uint8Array) => object;
    readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly sum: Sum } };
  };
};

/** Creates the loop on a memory. */
export function createSumLoop({ program, memory }: StreamSetup): Sum {
  return new WebAssembly.Instance(new WebAssembly.Module(program), { stream: { memory } }).exports.sum;
}

/** Fills a memory of `bytes` bytes and starts two threads. The cleaning ends them. */
export async function openStreamBound(cleaning: AsyncDisposableStack, bytes: number): Promise<StreamBound> {
  const features = { threads: true, simd: true };
  const module = (await wabt()).parseWat('stream.wat', source, features);
  const program = module.toBinary({}).buffer;
  const memory = new WebAssembly.Memory({
    initial: Math.ceil(bytes / 65_536),
    maximum: 65_536,
    shared: true,
  });
  new Uint8Array(memory.buffer).fill(1);
  const workerData: StreamSetup = { program, memory };
  const threads = [0, 1].map(
    () => new Worker(new URL('./stream-thread.ts', import.meta.url), { workerData }),
  );
  cleaning.defer(async () => void (await Promise.all(threads.map((thread) => thread.terminate()))));
  const sum = createSumLoop(workerData);
  return {
    measureRead: async (bytes, count) => {
      const half = Math.floor(bytes / 128) * 64;
      const started = performance.now();
      if (count === 1) sum(0, bytes);
      else {
        const orders: readonly StreamOrder[] = [
          { from: 0, to: half },
          { from: half, to: bytes },
        ];
        await Promise.all(threads.map((thread, index) => runOrder(thread, orders[index]!)));
      }
      return performance.now() - started;
    },
  };
}

async function runOrder(thread: Worker, order: StreamOrder): Promise<void> {
  thread.postMessage(order, []);
  await once(thread, 'message');
}
