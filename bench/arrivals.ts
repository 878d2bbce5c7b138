import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { insertCallers, type CallerPair } from './lib/callers.ts';
import { receiveMessage, startNode, stopChild } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import type { ArrivalOrder, Arrivals } from './lib/open-loop.ts';
import { formatMilliseconds, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Enough callers that none exceeds its rate limit (120 requests a minute). */
const caller_count = 2_000;
/** Requests per second. */
const rates = [100, 300, 600];

/** Measures the latencies of requests that arrive at a fixed rate, and of the first request after a start. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [seconds, starts] = quick ? [3, 2] : [30, 10];
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir);
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  const generator = startNode(cleaning, ['bench/lib/open-loop.ts']);
  const requests = callers.map(buildRequest);
  // Compiles what the requests use.
  await sendArrivals(generator, { requests, port: service.port, rate: 100, seconds: 5 });
  const rows: string[][] = [];
  for (const rate of rates)
    rows.push(
      formatRow(rate, await sendArrivals(generator, { requests, port: service.port, rate, seconds })),
    );
  await stopChild(service.child);
  const firsts = await measureStarts(cleaning, dataDir, callers[0]!, { generator, starts, service });
  return {
    title: 'Latency at a fixed arrival rate, and after a start',
    tables: [
      {
        head: [
          'requests per second',
          'half within',
          '99 of 100 within',
          '999 of 1000 within',
          'slowest',
          'sent late by at most',
        ],
        rows,
      },
      { head: ['after a start', 'least', 'median', 'most'], rows: firsts },
    ],
    notes: [
      `${seconds} s at each rate, in turn \`GET /auth/me\`, \`GET /orgs/me/jobs/{job_id}\`, \`GET /members/me\` and \`PATCH /orgs/me\`, which writes, of ${caller_count.toLocaleString('en')} callers.`,
      'A request is sent when it falls due, whether or not earlier ones were answered, and its latency counts from that time (open loop). The service, its',
      'PostgreSQL and the generator share the cores. "Sent late" is how far the generator itself fell behind, and is part of the latencies.',
      `After each of ${starts} starts, once the service is ready: the first request, \`GET /auth/me\` on a new connection with a token that this process has not seen,`,
      'and the second on the same connection.',
    ],
  };
};

function buildRequest(caller: CallerPair, index: number): string {
  const build = (method: string, target: string, token: string, body = '') =>
    `${method} /api/v1${target} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n` +
    (body && `content-type: application/json\r\ncontent-length: ${body.length}\r\n`) +
    `\r\n${body}`;
  const { token, member_token, job_id } = caller;
  const kinds = [
    () => build('GET', '/auth/me', token),
    () => build('GET', `/orgs/me/jobs/${job_id}`, token),
    () => build('GET', '/members/me', member_token),
    () => build('PATCH', '/orgs/me', token, JSON.stringify({ name: `Bench Works ${index}` })),
  ];
  return kinds[index % kinds.length]!();
}

async function sendArrivals(generator: ChildProcess, order: ArrivalOrder): Promise<Arrivals> {
  generator.send(order);
  const arrivals = await receiveMessage(generator);
  if (typeof arrivals === 'string') throw new Error(arrivals);
  // Messages between processes have no types; `open-loop.ts` sends this one.
  return arrivals as Arrivals;
}

function formatRow(rate: number, { latencies, latest_send_ms }: Arrivals): string[] {
  const sorted = latencies.toSorted((one, other) => one - other);
  const quantiles = [0.5, 0.99, 0.999, 1].map((quantile) => selectQuantile(sorted, quantile));
  return [rate.toLocaleString('en'), ...[...quantiles, latest_send_ms].map(formatMilliseconds)];
}

function selectQuantile(sorted: readonly number[], quantile: number): number {
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)]!;
}

type StartOptions = {
  readonly generator: ChildProcess;
  readonly starts: number;
  readonly service: Service;
};

/** Starts the service again and again, and measures the first two requests of each. */
async function measureStarts(
  cleaning: AsyncDisposableStack,
  dataDir: string,
  caller: CallerPair,
  { generator, starts, service: { publicUrl } }: StartOptions,
): Promise<string[][]> {
  const requests = [buildRequest(caller, 0)];
  const [first, second]: [number[], number[]] = [[], []];
  for (let start = 0; start < starts; start++) {
    // The public URL is in the tokens.
    const service = await startService(cleaning, dataDir, [], { TESSERA_PUBLIC_URL: publicUrl });
    const order = { requests, port: service.port, rate: 1, seconds: 1 };
    first.push((await sendArrivals(generator, order)).latencies[0]!);
    second.push((await sendArrivals(generator, order)).latencies[0]!);
    await stopChild(service.child);
  }
  const row = (what: string, values: readonly number[]) => {
    const sorted = values.toSorted((one, other) => one - other);
    return [what, ...[0, 0.5, 1].map((quantile) => formatMilliseconds(selectQuantile(sorted, quantile)))];
  };
  return [row('the first request', first), row('the second request', second)];
}
