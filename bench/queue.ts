import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { Platform } from '#platform/platform.ts';
import { openQueue } from '#platform/queue/queue.ts';
import { task } from '#platform/queue/task.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast, measureTime, type Subject } from './lib/measure.ts';
import { addMembers } from './lib/members.ts';
import { createCounter, openPeerDrain, type PeerOptions } from './lib/peer-queue.ts';
import { formatMilliseconds, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

const drained = 1_000;

/** Measures how fast the queue drains, compared with pg-boss alone, and how long tasks wait under a steady load and in a burst. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  // Every registration comes from a different address, so that no address exceeds its rate limit.
  const service = await startService(cleaning, dataDir, [], {
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_TRUSTED_PROXIES: '127.0.0.1',
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const waits = await measureWaits(cleaning, service, { settings, dataDir, seconds: quick ? 3 : 30 });
  const cost = await measureDrains(cleaning, settings, quick ? 2 : 20);
  const peers = Object.entries(cost).filter(([name]) => name !== 'ours');
  const best = Math.min(...peers.map(([, time]) => time));
  const formatRate = (time: number) => `${Math.round((drained / time) * 1_000).toLocaleString('en')}/s`;
  const row = (what: string, time: number) => [
    what,
    formatMilliseconds(time),
    formatRate(time),
    (best / time).toFixed(2),
  ];
  return {
    title: 'The queue',
    tables: [
      {
        head: [
          `draining ${drained.toLocaleString('en')} tasks that do nothing`,
          'time',
          'rate',
          'of the best',
        ],
        rows: [
          row('Tessera (target: 0.5 of the best)', cost.ours),
          ...peers.map(([name, time]) => row(`pg-boss alone, ${name}`, time)),
        ],
      },
      { head: ['task, steady load', ...waitHead], rows: waits.steady },
      { head: ['task, burst', ...waitHead], rows: waits.burst },
    ],
    notes: [
      'From the commit of the tasks until the last one has run, the least of several, taken alternately. pg-boss has notifications and `burstWhenBatchFull`;',
      'a batch of pg-boss is one call, so that one slow or failed task delays or fails all of it. Tessera runs each task alone, lets organisations take',
      'turns, and runs tasks that take longer than a few milliseconds one at a time. The waits are those of the service itself (`tessera_task_wait_seconds`), from',
      'when a task could run until a worker took it, interpolated in the buckets of the histogram. Steady load: each second ten registrations, two new jobs',
      `matched with 20,000 members, and ten explanations arrive. Burst: ${burst.registrations} registrations, ${burst.jobs} new jobs of 20 organisations and ${burst.explanations} explanations, ${burst.at_a_time} requests at a time, as fast as the service replies.`,
    ],
  };
};

const peerOptions: Readonly<Record<string, PeerOptions>> = {
  'batches of 50': { batchSize: 50 },
  'batches of 100': { batchSize: 100 },
  'batches of 500': { batchSize: 500 },
  'batches of 250, four workers': { batchSize: 250, workers: 4 },
  'one batch of 1,000': { batchSize: 1_000 },
};

async function measureDrains(
  cleaning: AsyncDisposableStack,
  settings: pg.PoolConfig,
  rounds: number,
): Promise<Readonly<Record<string, number>> & { readonly ours: number }> {
  const subjects: Record<string, Subject> = {};
  for (const [name, options] of Object.entries(peerOptions))
    subjects[name] = await openPeerDrain(cleaning, settings, { ...options, count: drained });
  return measureLeast({ ...subjects, ours: await openOurDrain(cleaning, settings) }, rounds);
}

async function openOurDrain(
  cleaning: AsyncDisposableStack,
  settings: pg.PoolConfig,
): Promise<() => Promise<number>> {
  const database = openDatabase(settings, () => undefined);
  cleaning.defer(() => database.close());
  const counter = createCounter();
  const nothing = task<{ readonly number: number }>({
    name: 'bench.nothing',
    retry_seconds: [],
    run: async () => counter.count(1),
  });
  const log = pino({ level: 'silent' });
  const options = { database, clock: systemClock, log, metrics: openMetrics() };
  const queue = openQueue({ ...options, tasks: [nothing], events: [] });
  cleaning.defer(() => queue.close());
  // The queue passes the platform on to the task, which uses nothing of it.
  await queue.startWorkers({ database, now: systemClock.now, log } as unknown as Platform);
  return async () => {
    const finished = counter.expect(drained);
    await database.transaction(async (tx) => {
      for (let number = 0; number < drained; number++) await queue.send(tx, nothing, { number });
    });
    return measureTime(() => finished);
  };
}

type WaitOptions = {
  readonly settings: pg.PoolConfig;
  readonly dataDir: string;
  readonly seconds: number;
};

const arrivals_per_second = 10;
const burst = { registrations: 100, jobs: 40, explanations: 300, at_a_time: 20 } as const;
const waitHead = ['runs', 'half waited at most', '99 of 100 waited at most'];
const waited = {
  'an email': 'accounts.sendVerification',
  'the matches of a new job': 'matches.computeJobMatches',
  'an explanation': 'matches.generateExplanation',
};

type Waits = { readonly steady: string[][]; readonly burst: string[][] };

/** Sends a steady load and then a burst to the service, and reads from its metrics how long the tasks waited. */
async function measureWaits(
  cleaning: AsyncDisposableStack,
  service: Service,
  { settings, dataDir, seconds }: WaitOptions,
): Promise<Waits> {
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const callers = await insertCallers(settings, dataDir, service.publicUrl, 20);
  await client.query(`update jobs set clearance_required = 'none', remote_policy = 'hybrid'`);
  await addMembers(client, 20_000);
  const explained = arrivals_per_second * seconds;
  const matches = await computeMatches(service, client, callers, explained + burst.explanations);
  const steady = await measureLoad(service, () => sendSteadyLoad(service, callers, matches, seconds));
  const bursting = await measureLoad(service, () => sendBurst(service, callers, matches.slice(explained)));
  return { steady, burst: bursting };
}

async function sendSteadyLoad(
  service: Service,
  callers: readonly CallerPair[],
  matches: readonly Match[],
  seconds: number,
): Promise<void> {
  const pending: Promise<void>[] = [];
  for (let arrival = 0; arrival < arrivals_per_second * seconds; arrival++) {
    const { token } = callers[arrival % callers.length]!;
    pending.push(
      send(service, 'POST', '/auth/register', { body: buildRegistration(arrival) }),
      requestExplanation(service, matches[arrival]!),
    );
    if (arrival % 5 === 0) pending.push(send(service, 'POST', '/orgs/me/jobs', { token, body: job }));
    await pause(1_000 / arrivals_per_second);
  }
  await Promise.all(pending);
}

/** Sends the requests of a burst, as many at a time as the service admits at least, in a mixed order. */
async function sendBurst(
  service: Service,
  callers: readonly CallerPair[],
  matches: readonly Match[],
): Promise<void> {
  const requests = [
    ...listRequests(burst.registrations, (number) =>
      send(service, 'POST', '/auth/register', { body: buildRegistration(1_000_000 + number) }),
    ),
    ...listRequests(burst.jobs, (number) =>
      send(service, 'POST', '/orgs/me/jobs', { token: callers[number % callers.length]!.token, body: job }),
    ),
    ...listRequests(matches.length, (number) => requestExplanation(service, matches[number]!)),
  ].toSorted((one, other) => one.place - other.place);
  const sendNext = async () => {
    for (let next = requests.shift(); next; next = requests.shift()) await next.send();
  };
  await Promise.all(Array.from({ length: burst.at_a_time }, sendNext));
}

type Request = { readonly place: number; readonly send: () => Promise<void> };

/** Lists requests with places from 0 to 1, by which several lists can be mixed evenly. */
function listRequests(length: number, sendOne: (number: number) => Promise<void>): readonly Request[] {
  return Array.from({ length }, (_, number) => ({ place: number / length, send: () => sendOne(number) }));
}

function requestExplanation(service: Service, { id, token }: Match): Promise<void> {
  return send(service, 'GET', `/matches/${id}/explanation`, { token });
}

/** Runs a load, waits until nothing waits in the queue, and returns a row of waits for each task. */
async function measureLoad(service: Service, sendLoad: () => Promise<void>): Promise<string[][]> {
  const before = await readMetrics(service);
  await sendLoad();
  const after = await awaitEmptyQueue(service);
  return Object.entries(waited).map(([what, name]) => {
    const earlier = readBuckets(before, name);
    const buckets = readBuckets(after, name).map(({ bound, count }, place) => ({
      bound,
      count: count - (earlier[place]?.count ?? 0),
    }));
    return [
      `${what} (\`${name}\`)`,
      String(buckets.at(-1)?.count ?? 0),
      formatMilliseconds(1_000 * computeQuantile(buckets, 0.5)),
      formatMilliseconds(1_000 * computeQuantile(buckets, 0.99)),
    ];
  });
}

async function readMetrics({ internalPort }: Service): Promise<string> {
  return (await fetch(`http://127.0.0.1:${internalPort}/metrics`)).text();
}

const queue_ms_max = 120_000;
/** The service counts its queue at most once in five seconds. */
const counted_ms = 5_500;

async function awaitEmptyQueue(service: Service): Promise<string> {
  const waitingTasks = /^tessera_tasks_(?:waiting|running)\{task="[^"]+"\} [1-9]/m;
  for (const deadline = performance.now() + queue_ms_max; performance.now() < deadline;) {
    await pause(counted_ms);
    const text = await readMetrics(service);
    if (!waitingTasks.test(text)) return text;
  }
  throw new Error('the queue did not become empty');
}

const job = {
  title: 'Nurse',
  outcome_description: 'Patients who are cared for, day and night.',
  trait_priorities: { persistence: 1, sincerity: 0.5 },
};

function buildRegistration(arrival: number) {
  const email = `arrival${arrival}@example.org`;
  return { email, password: 'Correct-Horse-7-Battery', name: 'Bench Member', role: 'member' };
}

type Sent = { readonly token?: string; readonly body?: object };

const attempts_max = 10;

/** Sends a request, again after a second if the service says that it is overloaded, as clients should. */
async function send({ port }: Service, method: string, target: string, { token, body }: Sent): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${target}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.ok) return;
    if (response.status !== 503 || attempt === attempts_max)
      throw new Error(`${method} ${target}: ${response.status} ${text}`);
    await pause(1_000);
  }
}

type Match = { readonly id: string; readonly token: string };

/** Computes the matches of as many jobs as needed. @returns matches, each with the token of an administrator who may read it. */
async function computeMatches(
  service: Service,
  client: pg.Client,
  callers: readonly CallerPair[],
  count: number,
): Promise<readonly Match[]> {
  await send(service, 'POST', `/orgs/me/jobs/${callers[0]!.job_id}/recompute-matches`, callers[0]!);
  for (let attempt = 0; attempt < 600; attempt++) {
    await pause(100);
    const { rows } = await client.query<{ id: string }>('select id from matches limit $1', [count]);
    if (rows.length === count) return rows.map(({ id }) => ({ id, token: callers[0]!.token }));
  }
  throw new Error('the matches were not computed');
}

type Bucket = { readonly bound: number; readonly count: number };

/** Reads the buckets of the histogram of waits of a task. */
function readBuckets(text: string, name: string): readonly Bucket[] {
  const line = /^tessera_task_wait_seconds_bucket\{le="([^"]+)",task="([^"]+)"\} (\d+)$/gm;
  return [...text.matchAll(line)]
    .filter(([, , each]) => each === name)
    .map(([, bound, , count]) => ({
      bound: bound === '+Inf' ? Infinity : Number(bound),
      count: Number(count),
    }));
}

/** Estimates a quantile as Prometheus does: linearly within its bucket. */
function computeQuantile(buckets: readonly Bucket[], quantile: number): number {
  const rank = quantile * (buckets.at(-1)?.count ?? 0);
  const place = buckets.findIndex(({ count }) => count >= rank);
  const [bucket, previous] = [buckets[place], buckets[place - 1] ?? { bound: 0, count: 0 }];
  if (!bucket) return NaN;
  if (bucket.bound === Infinity) return previous.bound;
  return (
    previous.bound +
    ((bucket.bound - previous.bound) * (rank - previous.count)) / (bucket.count - previous.count)
  );
}
