import type { ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import type { BareSetup } from './lib/bare-server.ts';
import { receiveMessage, receivePort, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';
import type { TimedOrder, TimedReplies } from './lib/timed-load.ts';

const ratio_max = 2;

/** Those who are calm: each organisation sends a request now and then. */
const calm_callers = 100;
const calm_load = { connections: 8, pause_ms: 30 } as const;

type Flood = Pick<TimedOrder, 'connections' | 'per_second'> & {
  readonly name: string;
  readonly limits: 'on' | 'off';
  readonly buildRequest: (caller: CallerPair) => string;
};

const floods: readonly Flood[] = [
  { name: '500 connections', limits: 'off', connections: 500, buildRequest: readJob },
  {
    name: '500 connections, unknown paths',
    limits: 'off',
    connections: 500,
    buildRequest: ({ token }) => buildGet('/api/v1/nowhere', token),
  },
  {
    name: '2,000 requests a second',
    limits: 'off',
    connections: 1_200,
    per_second: 2_000,
    buildRequest: readJob,
  },
  { name: '500 connections, above its rate limit', limits: 'on', connections: 500, buildRequest: readJob },
];

/**
 * Measures how long calm tenants wait beside a flood of another one, compared with the times between the floods, and with those while the same
 * flood is sent to another server on this machine.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const rounds = quick ? 1 : 4;
  const measured: Measured[] = [];
  for (const limits of ['off', 'on'] as const) {
    await using cleaning = new AsyncDisposableStack();
    const setup = await startSetup(cleaning, limits);
    for (const flood of floods.filter((each) => each.limits === limits))
      measured.push({ flood, ...(await measureFlood(setup, flood, rounds)) });
  }
  return {
    title: 'Calm tenants beside a flood of another one',
    tables: [
      {
        head: [
          'flood of one tenant',
          'others: p50',
          'p99',
          'calm p50',
          'calm p99',
          'ratio',
          'p99 beside a flood elsewhere',
          'ratio to it (target: 2×)',
          'replies to others',
          'replies to the flood',
          'p99 of its 200',
        ],
        rows: measured.map(({ flood, calm, elsewhere, beside, flooding }) => [
          flood.name,
          formatMilliseconds(beside.p50),
          formatMilliseconds(beside.p99),
          formatMilliseconds(calm.p50),
          formatMilliseconds(calm.p99),
          formatRatio(beside.p99 / calm.p99),
          formatMilliseconds(elsewhere.p99),
          formatRatio(beside.p99 / elsewhere.p99),
          beside.statuses,
          flooding.statuses,
          flooding.served > 0 ? formatMilliseconds(flooding.p99) : '–',
        ]),
      },
    ],
    notes: [
      `Calm: ${calm_load.connections} connections, which read a job of one of ${calm_callers} organisations and then pause for about ${calm_load.pause_ms} ms, without a flood and beside it in turn:`,
      `${rounds} slices of ${slice_s} s each. The flood comes from a third process of the lowest priority. Between these slices it is sent to a bare node:http server, which`,
      'takes processor time from the service as well, but shares nothing else with it.',
    ],
    failures: measured.flatMap(({ flood, elsewhere, beside }) => [
      ...(beside.p99 > ratio_max * elsewhere.p99
        ? [`${flood.name}: others wait ${formatRatio(beside.p99 / elsewhere.p99)} as long`]
        : []),
      ...(beside.refused > 0 ? [`${flood.name}: ${beside.refused} requests of others were refused`] : []),
    ]),
  };
};

const slice_s = 2;

type Phase = 'calm' | 'elsewhere' | 'beside' | 'flooding';

type Measured = Readonly<Record<Phase, Summary>> & { readonly flood: Flood };

async function measureFlood(setup: Setup, flood: Flood, rounds: number): Promise<Omit<Measured, 'flood'>> {
  const all: Record<Phase, TimedReplies[]> = { calm: [], elsewhere: [], beside: [], flooding: [] };
  const request = flood.buildRequest(setup.callers[0]!);
  for (let round = 0; round < rounds; round++) {
    all.calm.push(await sendCalm(setup));
    const elsewhere = await sendBeside(setup, flood, { port: setup.bare_port, request: buildGet('/-') });
    all.elsewhere.push(elsewhere.calm);
    const beside = await sendBeside(setup, flood, { port: setup.service.port, request });
    all.beside.push(beside.calm);
    all.flooding.push(beside.flooding);
  }
  return {
    calm: summariseReplies(all.calm),
    elsewhere: summariseReplies(all.elsewhere),
    beside: summariseReplies(all.beside),
    flooding: summariseReplies(all.flooding),
  };
}

/** Sends the requests of calm tenants while a flood of one request is under way. */
async function sendBeside(
  setup: Setup,
  { connections, per_second }: Flood,
  { port, request }: { readonly port: number; readonly request: string },
): Promise<Readonly<Record<'calm' | 'flooding', TimedReplies>>> {
  setup.flooder.send({
    port,
    connections,
    ...(per_second !== undefined && { per_second }),
    requests: [request],
    seconds: slice_s + 1,
  } satisfies TimedOrder);
  const ended = receiveMessage(setup.flooder);
  // The connections are open, and the first requests wait.
  await pause(500);
  return { calm: await sendCalm(setup), flooding: (await ended) as TimedReplies };
}

type Setup = {
  readonly service: Service;
  readonly bare_port: number;
  readonly callers: readonly CallerPair[];
  readonly flooder: ChildProcess;
  readonly calm: ChildProcess;
};

async function startSetup(cleaning: AsyncDisposableStack, limits: 'on' | 'off'): Promise<Setup> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ');
  const service = await startService(cleaning, dataDir, flags, { TESSERA_RATE_LIMITS: limits });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, 1 + calm_callers);
  const [flooder, calm] = [1, 2].map(() => startNode(cleaning, ['bench/lib/timed-load.ts']));
  const bare = startNode(cleaning, ['bench/lib/bare-server.ts']);
  bare.send({ settings, queries: {}, headers: {}, constant: '{}' } satisfies BareSetup);
  const bare_port = await receivePort(bare);
  // On a machine with few cores, the flood's own process would otherwise take the time that is measured.
  setPriority(flooder!.pid!, constants.priority.PRIORITY_LOW);
  const setup = { service, bare_port, callers, flooder: flooder!, calm: calm! };
  // Loads code, fills caches and opens the connections to the database.
  await sendCalm(setup);
  return setup;
}

async function sendCalm({ service, callers, calm }: Setup): Promise<TimedReplies> {
  const requests = callers.slice(1).map(readJob);
  calm.send({ ...calm_load, port: service.port, seconds: slice_s, requests } satisfies TimedOrder);
  return (await receiveMessage(calm)) as TimedReplies;
}

function readJob({ job_id, token }: CallerPair): string {
  return buildGet(`/api/v1/orgs/me/jobs/${job_id}`, token);
}

function buildGet(target: string, token?: string): string {
  const authorization = token === undefined ? '' : `authorization: Bearer ${token}\r\n`;
  return `GET ${target} HTTP/1.1\r\nhost: localhost\r\n${authorization}\r\n`;
}

type Summary = {
  readonly p50: number;
  readonly p99: number;
  readonly statuses: string;
  readonly served: number;
  readonly refused: number;
};

/** Percentiles of the replies with status 200, and how many there were of each status. */
function summariseReplies(slices: readonly TimedReplies[]): Summary {
  const served = slices.flatMap((slice) => slice['200'] ?? []).toSorted((one, other) => one - other);
  const pick = (share: number) => served[Math.floor(served.length * share)] ?? Infinity;
  const counts = new Map<string, number>();
  for (const [status, { length }] of slices.flatMap((slice) => Object.entries(slice)))
    counts.set(status, (counts.get(status) ?? 0) + length);
  return {
    p50: pick(0.5),
    p99: pick(0.99),
    statuses: [...counts].map(([status, count]) => `${count.toLocaleString('en')} × ${status}`).join(', '),
    served: served.length,
    refused: [...counts].reduce((sum, [status, count]) => sum + (status === '200' ? 0 : count), 0),
  };
}
