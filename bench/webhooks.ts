import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { placementCreated } from '#modules/matching/matches';
import { systemClock } from '#platform/clock.ts';
import { openDatabase, type Database } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { Queue } from '#platform/platform.ts';
import { openQueue } from '#platform/queue/queue.ts';
import { openMetrics } from '#platform/telemetry/metrics.ts';
import { listen } from '../client/src/cli/listen.ts';
import { openService } from '../client/src/cli/service.ts';
import { eventTable } from '../src/tables/events.ts';
import { taskTable } from '../src/tables/tasks.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receiveMessage, receivePort, requestUsage, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { openPeerDrain } from './lib/peer-queue.ts';
import { findFreePort } from './lib/ports.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';
import type { Receipts, ReceiverOrder } from './lib/webhook-receiver.ts';

const endpoints = 100;
/** How many of the endpoints the second part uses, and how many of these fail. */
const [latency_endpoints, failing_endpoints] = [50, 15];
const events_per_second = 100;

/** pg-boss drains fewer jobs than there are events, because its rate does not depend on their number. */
const peer_jobs = 2_000;
/** How long each reply takes in the burst that measures whether the service or the receivers are the limit, and the service's requests to one endpoint at a time. */
const [slow_reply_ms, at_a_time] = [1_000, 5];

/** Measures how fast events reach a receiver through the whole service, and what failing endpoints cost those that work. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const stage = await prepareStage(cleaning);
  const events = quick ? 1_000 : 10_000;
  const drains = await measureDrains(cleaning, stage, { events, rounds: 2 });
  const slow_ms = await drainSlowReceivers(stage, events);
  const seconds = quick ? 3 : 8;
  const waits = await measureWaits(stage, { seconds, rounds: quick ? 1 : 3 });
  const listening = await measureListening(stage, quick ? 50 : 300);
  const ours = drains.rates['ours']!;
  const slow_least_ms = (events / endpoints / at_a_time) * slow_reply_ms;
  return {
    title: 'Webhooks',
    tables: [
      {
        head: [
          `${events.toLocaleString('en')} events over ${endpoints} subscriptions`,
          'rate',
          'Tessera, of this',
        ],
        rows: [
          ['Tessera, from the commit until the last is received', 'ours'] as const,
          ['the same requests by a bare sender', 'sender'] as const,
          ...peers.map(([name]) => [name, name] as const),
        ].map(([what, name]) => [
          what,
          `${Math.round(drains.rates[name]!).toLocaleString('en')}/s`,
          name === 'ours' ? '' : (ours / drains.rates[name]!).toFixed(2),
        ]),
      },
      {
        head: [`the same burst, with replies that take ${slow_reply_ms} ms`, 'time'],
        rows: [
          [`the receivers alone, ${at_a_time} requests at a time`, formatMilliseconds(slow_least_ms)],
          ['Tessera', formatMilliseconds(slow_ms)],
          ['ratio', formatRatio(slow_ms / slow_least_ms)],
        ],
      },
      {
        head: ['from the commit of an event until its receipt', 'half within', '99 of 100 within'],
        rows: [
          ['no endpoint fails', ...waits.healthy.map(formatMilliseconds)],
          [
            `${failing_endpoints} of ${latency_endpoints} fail; the others`,
            ...waits.failing.map(formatMilliseconds),
          ],
          ['ratio (target: 2)', ...waits.healthy.map((each, at) => formatRatio(waits.failing[at]! / each))],
        ],
      },
      buildListeningTable(listening),
    ],
    notes: [
      'The best of several rounds, taken alternately. An event is written in a transaction together with the task that distributes it; the service then writes the delivery, queues the sending,',
      'signs, and sends by HTTP to a receiver in a process of its own. The bare sender sends the same number of bodies to it, five at a time to each URL on kept connections, and stores nothing.',
      `pg-boss drains ${peer_jobs.toLocaleString('en')} jobs that do nothing. Last table: ${events_per_second} events a second over ${latency_endpoints} subscriptions, each in a transaction of its own, for ${seconds} s; a third each of the failing`,
      'endpoints refuse connections, never reply, and reply with 500. They are enabled again every second, so that they keep failing. The wait begins when the commit was reported,',
      'as it would be with the reply of the API.',
      `Processor time of the service for one delivery, of the last drain: ${(1_000 * drains.cpu_ms).toFixed(0)} µs.`,
    ],
  };
};

const peers = [
  ['pg-boss alone, ten workers with one job each', { batchSize: 1, workers: 10 }],
  ['pg-boss alone, batches of 10', { batchSize: 10 }],
  ['pg-boss alone, batches of 50', { batchSize: 50 }],
  ['pg-boss alone, one batch of 1,000', { batchSize: 1_000 }],
] as const;

type Stage = {
  readonly service: Service;
  readonly settings: pg.PoolConfig;
  readonly database: Database;
  readonly queue: Queue;
  readonly client: pg.Client;
  readonly receiver: ChildProcess;
  readonly url: string;
  readonly callers: readonly CallerPair[];
};

async function prepareStage(cleaning: AsyncDisposableStack): Promise<Stage> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], {
    TESSERA_RATE_LIMITS: 'off',
    TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, endpoints);
  const receiver = startNode(cleaning, ['bench/lib/webhook-receiver.ts']);
  const url = `http://127.0.0.1:${await receivePort(receiver)}`;
  for (const { token } of callers) await subscribe(service, token, `${url}/ok`);
  const client = new pg.Client(settings);
  await client.connect();
  cleaning.defer(() => client.end());
  const database = openDatabase(settings, () => undefined);
  cleaning.defer(() => database.close());
  const log = pino({ level: 'silent' });
  const options = { database, clock: systemClock, log, metrics: openMetrics() };
  const queue = openQueue({ ...options, tasks: taskTable, events: eventTable });
  cleaning.defer(() => queue.close());
  return { service, settings, database, queue, client, receiver, url, callers };
}

async function subscribe({ port }: Service, token: string, url: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  if (!response.ok) throw new Error(`subscribing returned ${response.status}: ${await response.text()}`);
}

/** Writes events in one transaction, in turn for each organisation. @returns the matches that they name. */
async function emitEvents(
  { database, queue }: Stage,
  callers: readonly CallerPair[],
  count: number,
): Promise<readonly string[]> {
  const match_ids = Array.from({ length: count }, () => randomUUID());
  await database.transaction(async (tx) => {
    for (const [number, match_id] of match_ids.entries()) {
      const { org_id, member_id } = callers[number % callers.length]!;
      const ids = { match_id, job_id: match_id, org_id, member_id, shown_member_id: member_id };
      await queue.emit(tx, placementCreated, {
        ...ids,
        outcome: 'placed',
        placed_at: '2026-11-02',
        ended_at: null,
      });
    }
  });
  return match_ids;
}

const sendOrder = (receiver: ChildProcess, order: ReceiverOrder) => void receiver.send(order);

type Drains = {
  /** Deliveries or jobs per second, by name. */
  readonly rates: Readonly<Record<string, number>>;
  readonly cpu_ms: number;
};

async function measureDrains(
  cleaning: AsyncDisposableStack,
  stage: Stage,
  { events, rounds }: { readonly events: number; readonly rounds: number },
): Promise<Drains> {
  let cpu_ms = 0;
  const drainOurs = async () => {
    const { cpu_us } = await requestUsage(stage.service.child);
    const took_ms = await drainBurst(stage, events);
    cpu_ms = ((await requestUsage(stage.service.child)).cpu_us - cpu_us) / 1_000 / events;
    await forgetDeliveries(stage);
    return took_ms / events;
  };
  const subjects: Record<string, () => Promise<number>> = {};
  for (const [name, options] of peers) {
    const drain = await openPeerDrain(cleaning, stage.settings, { ...options, count: peer_jobs });
    subjects[name] = async () => (await drain()) / peer_jobs;
  }
  const sender = startNode(cleaning, ['bench/lib/webhook-sender.ts']);
  const sendBare = async () => {
    sender.send({ url: `${stage.url}/ok`, endpoints, requests: events });
    return Number(await receiveMessage(sender)) / events;
  };
  const least = await measureLeast<string>({ ...subjects, sender: sendBare, ours: drainOurs }, rounds);
  const rates = Object.fromEntries(Object.entries(least).map(([name, each_ms]) => [name, 1_000 / each_ms]));
  return { rates, cpu_ms };
}

/** @returns the milliseconds from the commit of a burst until the last event was received. */
async function drainBurst(stage: Stage, events: number): Promise<number> {
  sendOrder(stage.receiver, { report_after: events });
  const finished = receiveMessage(stage.receiver);
  await emitEvents(stage, stage.callers, events);
  const took_ms = await measureTime(() => finished);
  console.error(`drained in ${formatMilliseconds(took_ms)}`);
  return took_ms;
}

/** Drains a burst to receivers that take a while for each reply. */
async function drainSlowReceivers(stage: Stage, events: number): Promise<number> {
  await stage.client.query('update webhook_subscriptions set url = $1', [
    `${stage.url}/slow/${slow_reply_ms}`,
  ]);
  const took_ms = await drainBurst(stage, events);
  await forgetDeliveries(stage);
  return took_ms;
}

/** Waits until the last outcome is stored, and deletes the history, so that every round finds the same tables. */
async function forgetDeliveries({ client }: Stage): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const { rows } = await client.query(`select from webhook_deliveries where status = 'pending' limit 1`);
    if (rows.length === 0) break;
    await pause(100);
  }
  await client.query('delete from webhook_deliveries');
  await client.query('delete from events');
  await client.query('vacuum analyze webhook_deliveries, webhook_subscriptions, events, tasks');
}

/** The median and the 99th percentile. */
type Waits = readonly [median: number, p99: number];

/** What one event after the other waits: half of them, 95 of 100, and 99 of 100. */
type SingleWaits = readonly number[];

async function measureWaits(
  stage: Stage,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<{ readonly healthy: Waits; readonly failing: Waits }> {
  const least = { healthy: [Infinity, Infinity], failing: [Infinity, Infinity] } as Record<string, Waits>;
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? ['healthy', 'failing'] : ['failing', 'healthy']) {
      await setUrls(stage, name === 'failing');
      const [median, p99] = await measureWait(stage, seconds, name === 'failing');
      least[name] = [Math.min(least[name]![0], median), Math.min(least[name]![1], p99)];
      console.error(
        `${name}: half within ${formatMilliseconds(median)}, 99 of 100 within ${formatMilliseconds(p99)}`,
      );
    }
  return { healthy: least['healthy']!, failing: least['failing']! };
}

/** The ways to fail, by the remainder of the endpoint's number. */
async function setUrls({ client, url, callers }: Stage, isFailing: boolean): Promise<void> {
  const closed = `http://127.0.0.1:${await findFreePort()}/`;
  const ways = [closed, `${url}/hang`, `${url}/500`];
  for (const [number, { org_id }] of callers.slice(0, latency_endpoints).entries()) {
    const target = isFailing && number < failing_endpoints ? ways[number % ways.length] : `${url}/ok`;
    await client.query(
      `update webhook_subscriptions set url = $2, is_active = true, failure_count = 0, resumes_at = null where org_id = $1`,
      [org_id, target],
    );
  }
}

async function measureWait(stage: Stage, seconds: number, isFailing: boolean): Promise<Waits> {
  const { client, receiver, callers } = stage;
  const used = callers.slice(0, latency_endpoints);
  await takeReceipts(receiver);
  const failing_ids = used.slice(0, failing_endpoints).map(({ org_id }) => org_id);
  const enable = () =>
    client.query(
      'update webhook_subscriptions set is_active = true, failure_count = 0, resumes_at = null where org_id = any($1)',
      [failing_ids],
    );
  const sent = new Map<string, number>();
  const pending = new Set<Promise<void>>();
  const started = performance.now();
  const count = seconds * events_per_second;
  for (let number = 0; number < count; number++) {
    const due = started + (number * 1_000) / events_per_second;
    await pause(Math.max(0, due - performance.now()));
    if (isFailing && number % events_per_second === 0) await enable();
    const place = number % used.length;
    const emitting: Promise<void> = emitEvents(stage, [used[place]!], 1)
      .then(([id]) => void (place >= failing_endpoints && sent.set(id!, Number(process.hrtime.bigint()))))
      .finally(() => pending.delete(emitting));
    pending.add(emitting);
  }
  await Promise.all(pending);
  const [median, p99] = findQuantiles(await collectWaits(receiver, sent), [0.5, 0.99]);
  await client.query(`delete from webhook_deliveries`);
  await client.query(`delete from tasks where name = 'webhooks.deliverEvents' and status <> 'running'`);
  return [median!, p99!];
}

function buildListeningTable(listening: { readonly webhook: SingleWaits; readonly listen: SingleWaits }) {
  return {
    head: [
      'one event after the other, from the commit until its receipt',
      'half within',
      '95 of 100 within',
      '99 of 100 within',
    ],
    rows: [
      ['a webhook to the same machine', ...listening.webhook.map(formatMilliseconds)],
      ['`tessera listen`', ...listening.listen.map(formatMilliseconds)],
      [
        'difference (target: 100 ms)',
        ...listening.listen.map((each, at) => formatMilliseconds(each - listening.webhook[at]!)),
      ],
    ],
  };
}

/** Measures one organisation, first by its webhook, then by a program that listens under a stream. */
async function measureListening(stage: Stage, count: number) {
  const { service, client, callers, url } = stage;
  const caller = callers.at(-1)!;
  await client.query('update webhook_subscriptions set url = $2, is_active = true where org_id = $1', [
    caller.org_id,
    `${url}/ok`,
  ]);
  const webhook = await measureSingles(stage, caller, count);
  await client.query('delete from webhook_subscriptions where org_id = $1', [caller.org_id]);
  const stop = new AbortController();
  const connection = { url: `http://127.0.0.1:${service.port}`, token: caller.token };
  const ready = Promise.withResolvers<void>();
  const listening = listen({
    service: openService(connection),
    target: `${url}/ok`,
    name: 'bench',
    print: () => ready.resolve(),
    signal: stop.signal,
  });
  await ready.promise;
  const listened = await measureSingles(stage, caller, count);
  stop.abort();
  await listening;
  return { webhook, listen: listened };
}

async function measureSingles(stage: Stage, caller: CallerPair, count: number): Promise<SingleWaits> {
  await takeReceipts(stage.receiver);
  const sent = new Map<string, number>();
  for (let number = 0; number < count; number++) {
    const [id] = await emitEvents(stage, [caller], 1);
    sent.set(id!, Number(process.hrtime.bigint()));
    await pause(30);
  }
  return findQuantiles(await collectWaits(stage.receiver, sent), [0.5, 0.95, 0.99]);
}

async function takeReceipts(receiver: ChildProcess): Promise<Receipts> {
  sendOrder(receiver, { report: 'receipts' });
  // The receiver replies to this order with its receipts.
  return (await receiveMessage(receiver)) as Receipts;
}

async function collectWaits(receiver: ChildProcess, sent: ReadonlyMap<string, number>): Promise<number[]> {
  const waits_ms: number[] = [];
  for (let attempt = 0; waits_ms.length < sent.size; attempt++) {
    if (attempt > 60) throw new Error(`${sent.size - waits_ms.length} events did not arrive`);
    await pause(500);
    for (const [id, arrived_ns] of await takeReceipts(receiver)) {
      const sent_ns = sent.get(id);
      if (sent_ns !== undefined) waits_ms.push(Math.max(0, arrived_ns - sent_ns) / 1e6);
    }
  }
  return waits_ms;
}

function findQuantiles(waits_ms: readonly number[], shares: readonly number[]): readonly number[] {
  const sorted = waits_ms.toSorted((one, other) => one - other);
  return shares.map((share) => sorted[Math.ceil(share * sorted.length) - 1]!);
}
