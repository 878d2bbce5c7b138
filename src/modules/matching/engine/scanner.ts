import { Worker } from 'node:worker_threads';
import type { Population } from '../population.ts';
import { blockMembers } from './layout.ts';
import type { ThreadOrder, ThreadSetup } from './scan-thread.ts';
import { scanStrips, type Found } from './scan-strips.ts';
import { openStripScanner, type ScanQuery, type StripScanner } from './strip-scanner.ts';

/** Looks through a population, here where it is small, else in worker threads. */
export type Scanner = {
  readonly population: Population;
  /** Who answers each query: pairs of position and score, in no order. The population must not change meanwhile. */
  scan(queries: readonly ScanQuery[]): Promise<readonly Found[]>;
  /** Answers of a sample of blocks, spread evenly, and how many members those blocks have. */
  sample(query: ScanQuery): { readonly found: Found; readonly members: number };
  /** Ends the threads; a scan that is under way fails. */
  close(): Promise<void>;
};

/** Below so many pairs of member and query, a message to a thread takes longer than the scan. */
const pairs_inline_max = 100_000;

/** 512 blocks of 16: the rank of a score among 8,192 tells its rank among all closely enough. */
const sampledBlocks = 512;

/** Opens a scanner with as many threads as the population has scratch areas for, beside this one; they start when first needed. */
export function openScanner(population: Population, { plain = false } = {}): Scanner {
  const here = openStripScanner({ ...population, thread: 0, views: () => population }, { plain });
  let threads: readonly Worker[] | undefined;
  return {
    population,
    sample: (query) => sampled(here, population, query),
    scan: async (queries) => {
      const order = { queries, size: population.ids.size, next: new Int32Array(new SharedArrayBuffer(4)) };
      const inline = population.threads === 1 || order.size * queries.length <= pairs_inline_max;
      if (inline) return scanStrips(here, order);
      threads ??= startThreads(population, plain);
      const { buffer } = population.memory;
      return joined(await Promise.all(threads.map((thread) => answered(thread, { ...order, buffer }))));
    },
    close: async () => {
      await Promise.all((threads ?? []).map((thread) => thread.terminate()));
    },
  };
}

function sampled(here: StripScanner, { ids }: Population, query: ScanQuery): ReturnType<Scanner['sample']> {
  const blocks = Math.ceil(ids.size / blockMembers);
  const taken = Math.min(sampledBlocks, blocks);
  const found = new Int32Array(2 * taken * blockMembers);
  const look = here.prepare(query);
  let [length, members] = [0, 0];
  for (let index = 0; index < taken; index += 1) {
    const from = Math.floor((index * blocks) / taken) * blockMembers;
    const to = Math.min(ids.size, from + blockMembers);
    const count = look({ from, to });
    found.set(here.found.subarray(0, 2 * count), length);
    length += 2 * count;
    members += to - from;
  }
  return { found: found.subarray(0, length), members };
}

function startThreads({ memory, threads }: Population, plain: boolean): readonly Worker[] {
  return Array.from({ length: threads - 1 }, (_, index) => {
    const workerData: ThreadSetup = { memory, threads, thread: index + 1, plain };
    const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData });
    // A thread that waits for work is no reason for the process to stay.
    thread.unref();
    return thread;
  });
}

/** One answer of a thread; fails where the thread ends without one. */
function answered(thread: Worker, order: ThreadOrder): Promise<readonly Found[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      thread.unref();
      act();
    };
    const onMessage = (found: readonly Found[]) => settle(() => resolve(found));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('a scanning thread ended')));
    thread.ref();
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(order, []);
  });
}

/** What the threads found, by query. */
function joined(parts: readonly (readonly Found[])[]): readonly Found[] {
  return parts[0]!.map((_, query) => {
    const all = parts.map((found) => found[query]!);
    const whole = new Int32Array(all.reduce((length, each) => length + each.length, 0));
    let length = 0;
    for (const each of all) {
      whole.set(each, length);
      length += each.length;
    }
    return whole;
  });
}
