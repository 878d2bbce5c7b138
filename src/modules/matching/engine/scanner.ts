import { Worker } from 'node:worker_threads';
import type { Population } from './population.ts';
import { blockMembers } from './layout.ts';
import type { ThreadOrder, ThreadSetup } from './scan-thread.ts';
import { scanStrips, type ScoredPairs } from './scan-strips.ts';
import { openStripScanner, type ScanQuery, type StripScanner } from './strip-scanner.ts';

/** Looks through a population, here where it is small, else in worker threads. */
export type Scanner = {
  readonly population: Population;
  /** Who answers each query: pairs of position and score, in no order. One scan at a time; the population must not change meanwhile. */
  scan(queries: readonly ScanQuery[]): Promise<readonly ScoredPairs[]>;
  /** Answers of a sample of about so many members, in blocks that are spread evenly, and how many they are exactly. */
  sample(query: ScanQuery, members: number): { readonly found: ScoredPairs; readonly members: number };
  /** Ends the threads; a scan that is under way fails, and a later one starts new ones. */
  close(): Promise<void>;
};

/** Below so many pairs of member and query, a message to a thread takes longer than the scan. */
const pairs_inline_max = 100_000;

/** `plain`: the loop in JavaScript. `threads`: how many beside this one, and 0 for none; as many as there are scratch areas for. */
export type ScannerOptions = { readonly plain?: boolean; readonly threads?: number };

/** Opens a scanner; its threads start when they are first needed. */
export function openScanner(population: Population, options: ScannerOptions = {}): Scanner {
  const { plain = false, threads: count = population.threads - 1 } = options;
  const here = openStripScanner({ ...population, thread: 0, readViews: () => population }, { plain });
  let threads: readonly Worker[] | undefined;
  const endThreads = async () => {
    const ended = threads ?? [];
    threads = undefined;
    await Promise.all(ended.map((thread) => thread.terminate()));
  };
  return {
    population,
    sample: (query, members) => samplePopulation(here, population, query, members),
    scan: async (queries) => {
      const order = { queries, size: population.ids.size, next: new Int32Array(new SharedArrayBuffer(4)) };
      const inline = count === 0 || order.size * queries.length <= pairs_inline_max;
      if (inline) return scanStrips(here, order);
      threads ??= startThreads(population, count, plain);
      const { buffer } = population.memory;
      try {
        return mergeFound(
          await Promise.all(threads.map((thread) => scanOnThread(thread, { ...order, buffer }))),
        );
      } catch (error) {
        // One that ended answers no more, and the others are still at work.
        await endThreads();
        throw error;
      }
    },
    close: endThreads,
  };
}

function samplePopulation(
  here: StripScanner,
  { ids }: Population,
  query: ScanQuery,
  wanted: number,
): ReturnType<Scanner['sample']> {
  const blocks = Math.ceil(ids.size / blockMembers);
  const taken = Math.min(Math.ceil(wanted / blockMembers), blocks);
  const found = new Int32Array(2 * taken * blockMembers);
  const look = here.prepare(query);
  let [length, members] = [0, 0];
  for (let index = 0; index < taken; index += 1) {
    const from = Math.floor((index * blocks) / taken) * blockMembers;
    const to = Math.min(ids.size, from + blockMembers);
    const count = look({ from, to });
    // One by one: a view and a copy of so few numbers take longer.
    for (let place = 0; place < 2 * count; place += 1) found[length + place] = here.found[place]!;
    length += 2 * count;
    members += to - from;
  }
  return { found: found.subarray(0, length), members };
}

function startThreads({ memory, threads }: Population, count: number, plain: boolean): readonly Worker[] {
  return Array.from({ length: count }, (_, index) => {
    const workerData: ThreadSetup = { memory, threads, thread: index + 1, plain };
    const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), { workerData });
    // Whoever waits for an answer hears of it; unheard, it would end the process.
    thread.on('error', () => undefined);
    // A thread that waits for work is no reason for the process to stay.
    thread.unref();
    return thread;
  });
}

/** One answer of a thread; fails where the thread ends without one. */
function scanOnThread(thread: Worker, order: ThreadOrder): Promise<readonly ScoredPairs[]> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      thread.unref();
      act();
    };
    const onMessage = (found: readonly ScoredPairs[]) => settle(() => resolve(found));
    const onError = (error: Error) => settle(() => reject(error));
    const onExit = () => settle(() => reject(new Error('a scanning thread ended')));
    // It may have ended while nobody waited for it.
    if (thread.threadId === -1) return reject(new Error('a scanning thread ended'));
    thread.ref();
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(order, []);
    return undefined;
  });
}

/** What the threads found, by query. */
function mergeFound(parts: readonly (readonly ScoredPairs[])[]): readonly ScoredPairs[] {
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
