import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import type { BareReadsSetup } from './lib/bare-reads.ts';
import { insertCallers } from './lib/callers.ts';
import { receivePort, startNode } from './lib/child.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeastCosts } from './lib/measure.ts';
import { measureLoad, type Costs } from './lib/measure-load.ts';
import { buildReadBody, buildReadHeaders, fetchPaidRead, read_path } from './lib/paid-read.ts';
import { insertMatches, prepareMember, type Reader } from './lib/readable-member.ts';
import { formatMicroseconds, formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

/** Enough organisations that none exceeds its daily quota or its rate limit. */
const caller_count = 2_000;

/** The clients that read the same member at the same time. */
const clients = 32;

/** Measures a paid read of one popular member on the mock rail: its processor time, compared with a bare transaction, and its latencies. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const [count, rounds] = quick ? [100, 2] : [200, 40];
  const setup = await startServers(cleaning);
  const { ours, bare } = await measureLeastCosts(createSubjects(setup, count), rounds);
  const sum = ({ node_us, database_us }: Costs) => node_us + database_us;
  const latencies = await measureLatencies(setup, quick ? 200 : 4_000);
  const pick = (share: number) => latencies[Math.floor(latencies.length * share)]!;
  return {
    title: 'Paid reads of one member',
    tables: [
      {
        head: ['processor time of a paid read', 'Tessera', 'bare transaction', 'ratio (target: 2.5×)'],
        rows: [
          [
            'Node',
            formatMicroseconds(ours.node_us),
            formatMicroseconds(bare.node_us),
            formatRatio(ours.node_us / bare.node_us),
          ],
          [
            'PostgreSQL',
            formatMicroseconds(ours.database_us),
            formatMicroseconds(bare.database_us),
            formatRatio(ours.database_us / bare.database_us),
          ],
          [
            'both',
            formatMicroseconds(sum(ours)),
            formatMicroseconds(sum(bare)),
            formatRatio(sum(ours) / sum(bare)),
          ],
        ],
      },
      {
        head: [`latency with ${clients} clients`, 'p50', 'p99', 'ratio (target: 10×)'],
        rows: [
          [
            'paid read',
            formatMilliseconds(pick(0.5)),
            formatMilliseconds(pick(0.99)),
            formatRatio(pick(0.99) / pick(0.5)),
          ],
        ],
      },
    ],
    notes: [
      `The least of ${rounds} slices of ${count} requests each, which alternate with those of the bare server, with 16 connections from a third process.`,
      'Every read is of the same member, for a new payment of the mock rail, by one of 2,000 organisations that were quoted the price before. Tessera runs as in',
      'production (`TESSERA_ROLES=api`). The bare server inserts the same rows in one transaction; it authenticates, checks, locks and reads nothing.',
    ],
  };
};

type Setup = {
  readonly service: Service;
  readonly bare: Pick<Service, 'child' | 'port'>;
  readonly generator: ChildProcess;
  readonly readers: readonly Reader[];
  readonly member_id: string;
};

async function startServers(cleaning: AsyncDisposableStack): Promise<Setup> {
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const flags = process.env['BENCH_NODE_FLAGS']?.split(' ');
  const service = await startService(cleaning, dataDir, flags, { TESSERA_ROLES: 'api' });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  cleaning.defer(() => database.close());
  const callers = await insertCallers(settings, dataDir, service.publicUrl, caller_count);
  const { member_id } = callers[0]!;
  await prepareMember(database, member_id);
  const readers = await insertMatches(database, dataDir, callers, member_id);
  const generator = startNode(cleaning, ['bench/lib/load-generator.ts']);
  const child = startNode(cleaning, ['bench/lib/bare-reads.ts']);
  child.send({
    settings: { ...settings, max: 10 },
    reply: await fetchPaidRead(service, readers.at(-1)!),
  } satisfies BareReadsSetup);
  const bare = { child, port: await receivePort(child) };
  return { service, bare, generator, readers, member_id };
}

function createSubjects(setup: Setup, count: number) {
  const { service, bare, readers, member_id } = setup;
  let turn = 0;
  const takeReaders = () => Array.from({ length: count }, () => readers[turn++ % readers.length]!);
  return {
    ours: () =>
      measureLoad(
        setup,
        service,
        takeReaders().map((reader) => buildRequest(read_path, reader)),
      ),
    bare: () =>
      measureLoad(
        setup,
        bare,
        takeReaders().map((reader) =>
          buildRequest(`/${reader.user_id}/${reader.org_id}/${member_id}`, reader),
        ),
      ),
  };
}

function buildRequest(requestTarget: string, reader: Reader): string {
  const body = buildReadBody(reader);
  const headers = Object.entries(buildReadHeaders(reader)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${requestTarget} HTTP/1.1\r\nhost: localhost\r\n${headers.join('')}content-length: ${body.length}\r\n\r\n${body}`;
}

/** Reads the member with all clients at once. @returns the milliseconds of each request, ascending. */
async function measureLatencies({ service, readers }: Setup, count: number): Promise<readonly number[]> {
  const latencies: number[] = [];
  let next = 0;
  const runClient = async () => {
    while (next < count) {
      const reader = readers[next++ % readers.length]!;
      const started = performance.now();
      await fetchPaidRead(service, reader);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: clients }, runClient));
  return latencies.toSorted((one, other) => one - other);
}
