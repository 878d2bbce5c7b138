import { Worker } from 'node:worker_threads';
import { blockMembers } from './layout.ts';
import type { Population } from './population.ts';
import { scanStrips, type ScoredPairs } from './scan-strips.ts';
import type { ThreadOrder, ThreadSetup } from './scan-thread.ts';
import { openStripScanner, type ScanQuery, type StripScanner } from './strip-scanner.ts';

/** Scans a population: a small one in the calling thread, a large one in worker threads. */
export type Scanner = {
  readonly population: Population;
  /**
   * Finds the members that satisfy each query, as unordered pairs of position and score. Only one scan may run at a time, and the
   * population must not change meanwhile.
   */
  scan(queries: readonly ScanQuery[]): Promise<readonly ScoredPairs[]>;
  /** Scans a sample of about `members` members in evenly distributed blocks. Returns the pairs and the exact size of the sample. */
  sample(query: ScanQuery, members: number): { readonly found: ScoredPairs; readonly members: number };
  /** Ends the threads. A running scan fails, and a later one starts new threads. */
  close(): Promise<void>;
};

/** Up to this number of pairs of member and query, a message to a thread takes longer than the scan. */
const pairs_inline_max = 100_000;

/**
 * `plain` uses the loop in JavaScript instead of the kernel. `threads` is the number of worker threads; by default, one for each scratch
 * area except the caller's.
 */
export type ScannerOptions = { readonly plain?: boolean; readonly threads?: number };

/** Opens a scanner. Its threads start when they are first needed. */
export function openScanner(population: Population, options: ScannerOptions = {}): Scanner {
  const { plain = false, threads: count = population.threads - 1 } = options;
  const stripScanner = openStripScanner({ ...population, thread: 0, readViews: () => population }, { plain });
  let threads: readonly Worker[] | undefined;
  const endThreads = async () => {
    const running = threads ?? [];
    threads = undefined;
    await Promise.all(running.map((thread) => thread.terminate()));
  };
  return {
    population,
    sample: (query, members) => samplePopulation(stripScanner, population, query, members),
    scan: async (queries) => {
      const order = { queries, size: population.ids.size, next: new Int32Array(new SharedArrayBuffer(4)) };
      const isInline = count === 0 || order.size * queries.length <= pairs_inline_max;
      if (isInline) return scanStrips(stripScanner, order);
      threads ??= startThreads(population, count, plain);
      const { buffer } = population.memory;
      try {
        return mergePairs(
          await Promise.all(threads.map((thread) => scanOnThread(thread, { ...order, buffer }))),
        );
      } catch (error) {
        // A thread that has ended sends no more results, and the others may still be scanning.
        await endThreads();
        throw error;
      }
    },
    close: endThreads,
  };
}

function samplePopulation(
  stripScanner: StripScanner,
  { ids }: Population,
  query: ScanQuery,
  wanted: number,
): ReturnType<Scanner['sample']> {
  const blocks = Math.ceil(ids.size / blockMembers);
  const sampledBlocks = Math.min(Math.ceil(wanted / blockMembers), blocks);
  const found = new Int32Array(2 * sampledBlocks * blockMembers);
  const scanStrip = stripScanner.prepare(query);
  let [length, members] = [0, 0];
  for (let index = 0; index < sampledBlocks; index += 1) {
    const from = Math.floor((index * blocks) / sampledBlocks) * blockMembers;
    const to = Math.min(ids.size, from + blockMembers);
    const count = scanStrip({ from, to });
    // One number at a time, because creating and copying a view takes longer for so few numbers.
    for (let offset = 0; offset < 2 * count; offset += 1)
      found[length + offset] = stripScanner.found[offset]!;
    length += 2 * count;
    members += to - from;
  }
  return { found: found.subarray(0, length), members };
}

function startThreads({ memory, threads }: Population, count: number, plain: boolean): readonly Worker[] {
  return Array.from({ length: count }, (_, index) => {
    const workerData: ThreadSetup = { memory, threads, thread: index + 1, plain };
    const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData });
    // `scanOnThread` reports errors to the caller. An error without a listener would end the process.
    thread.on('error', () => undefined);
    // An idle thread must not keep the process alive.
    thread.unref();
    return thread;
  });
}

/** Runs one scan on a thread. Rejects if the thread ends without a result. */
function scanOnThread(thread: Worker, order: ThreadOrder): Promise<readonly ScoredPairs[]> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      thread.unref();
      finish();
    };
    const onMessage = (found: readonly ScoredPairs[]) => settle(() => resolve(found));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('a scanning thread ended')));
    // The thread may have ended between two scans.
    if (thread.threadId === -1) return reject(new Error('a scanning thread ended'));
    thread.ref();
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(order, []);
    return undefined;
  });
}

/** Merges the results of all threads, query by query. */
function mergePairs(results: readonly (readonly ScoredPairs[])[]): readonly ScoredPairs[] {
  return results[0]!.map((_, query) => {
    const parts = results.map((pairs) => pairs[query]!);
    const merged = new Int32Array(parts.reduce((length, part) => length + part.length, 0));
    let length = 0;
    for (const part of parts) {
      merged.set(part, length);
      length += part.length;
    }
    return merged;
  });
}
