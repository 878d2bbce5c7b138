import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import { measureTime } from './measure.ts';

/** Settings of pg-boss's workers. */
export type PeerOptions = { readonly batchSize: number; readonly workers?: number };

/** Counts runs, and resolves when all have been counted. */
export function createCounter() {
  let left = 0;
  let finish = () => undefined as void;
  return {
    count: (runs: number) => {
      left -= runs;
      if (left === 0) finish();
    },
    expect: (runs: number) => {
      left = runs;
      return new Promise<void>((resolve) => (finish = resolve));
    },
  };
}

/** Opens pg-boss alone. @returns a function that measures how long it takes to drain jobs that do nothing, in milliseconds. */
export async function openPeerDrain(
  cleaning: AsyncDisposableStack,
  settings: pg.PoolConfig,
  { batchSize, workers = 1, count }: PeerOptions & { readonly count: number },
): Promise<() => Promise<number>> {
  const boss = new PgBoss({ ...(settings as object), schema: 'pgboss', useListenNotify: true });
  await boss.start();
  cleaning.defer(() => boss.stop({ graceful: false }));
  const name = `bench-peer-${batchSize}-${workers}`;
  await boss.createQueue(name, { notify: true });
  const jobs = Array.from({ length: count }, (_, number) => ({ data: { data: { number }, attempt: 1 } }));
  if (batchSize === 1)
    return async () => {
      await boss.insert(name, jobs);
      return measureTime(() => Promise.all(Array.from({ length: workers }, () => workSingly(boss, name))));
    };
  const counter = createCounter();
  const options = {
    batchSize,
    localConcurrency: workers,
    burstWhenBatchFull: true,
    pollingIntervalSeconds: 0.5,
  };
  await boss.work(name, options, async (fetched) => counter.count(fetched.length));
  return async () => {
    await pause(600);
    const finished = counter.expect(count);
    await boss.insert(name, jobs);
    return measureTime(() => finished);
  };
}

/** Does what a worker does with one job at a time. `work` itself would pause half a second after each: it fetches at once only after a full batch of several. */
async function workSingly(boss: PgBoss, name: string): Promise<void> {
  for (;;) {
    const [job] = await boss.fetch(name);
    if (!job) return;
    await boss.complete(name, job.id);
  }
}
