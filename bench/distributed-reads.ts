import path from 'node:path';
import { openDatabase } from '#platform/database/database.ts';
import { buildCitus, prepareServer, type CitusServer } from '../test/cluster/citus.ts';
import { createOperator } from '../test/cluster/operator.ts';
import { openWorkshop } from '../test/cluster/programs.ts';
import { insertCallers } from './lib/callers.ts';
import { measureLeastCosts } from './lib/measure.ts';
import { fetchPaidRead } from './lib/paid-read.ts';
import { findFreePort } from './lib/ports.ts';
import { insertMatches, prepareMember, type Reader } from './lib/readable-member.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

const ratio_max = 2;
const caller_count = 400;
const clients = [1, 16] as const;

/**
 * Measures a paid read on Citus, a coordinator and two workers, compared with one plain PostgreSQL of the same version. Both have the same rows,
 * and all servers are on loopback. `BENCH_CITUS` is the folder with the build of `test/cluster/run-citus.ts`.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const folder = process.env['BENCH_CITUS'];
  if (folder === undefined)
    return { title, tables: [], notes: ['Skipped: BENCH_CITUS names the folder with a build of Citus.'] };
  await using cleaning = new AsyncDisposableStack();
  const workshop = await openWorkshop(cleaning);
  const root = await buildCitus('', folder);
  const start = async (name: string, settings: Readonly<Record<string, string>> = {}) => {
    const server = await prepareServer(cleaning, workshop, { root, name, settings });
    await server.start();
    await prepareDatabase(server);
    return server;
  };
  const plain = await start('plain', { shared_preload_libraries: '' });
  const nodes = [await start('coordinator'), await start('worker-1'), await start('worker-2')] as const;
  for (const server of nodes) await server.runStatement('create extension citus', database);
  await joinServers(nodes);
  const subjects = {
    plain: await openSubject(cleaning, await workshop.makeDirectory('plain-service'), plain),
    distributed: await openSubject(cleaning, await workshop.makeDirectory('citus-service'), nodes[0], [
      'database',
      'distribute',
      '--yes',
    ]),
  };
  const [count, rounds] = quick ? [20, 2] : [100, 20];
  const measured = [];
  for (const each of clients)
    measured.push({ clients: each, ...(await measure(subjects, each, count, rounds)) });
  await workshop.remove();
  return {
    title,
    tables: [
      {
        head: ['clients at the same time', 'plain PostgreSQL', 'Citus', 'ratio (target: 2×)'],
        rows: measured.map(({ clients, plain, distributed }) => [
          String(clients),
          formatMilliseconds(plain.median_ms),
          formatMilliseconds(distributed.median_ms),
          formatRatio(distributed.median_ms / plain.median_ms),
        ]),
      },
    ],
    notes: [
      `The least median of ${rounds} slices of ${count} paid reads each, which alternate. A slice reads one member for new payments of the mock rail, by ${caller_count}`,
      'organisations that were quoted the price before. PostgreSQL 15 with the same settings, data on the same disk; Citus has four shards a table.',
    ],
    failures: quick
      ? []
      : measured
          .filter(({ plain, distributed }) => distributed.median_ms > ratio_max * plain.median_ms)
          .map(
            (each) =>
              `With ${each.clients} clients, a paid read takes at most ${ratio_max} times as long on Citus.`,
          ),
  };
};

const title = 'Paid reads on a distributed database';
const database = 'bench';

async function prepareDatabase(server: CitusServer): Promise<void> {
  for (const role of ['tessera_owner', 'tessera_service', 'tessera_learner'])
    await server.runStatement(`create role ${role} login`);
  await server.runStatement(`create database ${database}`);
}

async function joinServers([coordinator, ...workers]: readonly [
  CitusServer,
  ...CitusServer[],
]): Promise<void> {
  await coordinator.runStatement(
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    database,
  );
  for (const { port } of workers)
    await coordinator.runStatement(`select citus_add_node('127.0.0.1', ${port})`, database);
}

/** A service on one of the databases, and those who read a member there. */
type Subject = { readonly service: Service; readonly readers: readonly Reader[]; next: number };

/** Fills a database, runs a command on it if one is given, and starts a service on it. */
async function openSubject(
  cleaning: AsyncDisposableStack,
  folder: string,
  { port }: CitusServer,
  command?: readonly string[],
): Promise<Subject> {
  const dataDir = path.join(folder, 'data');
  const variables = {
    TESSERA_DATA_DIR: dataDir,
    TESSERA_DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/${database}`,
    TESSERA_PUBLIC_URL: `http://127.0.0.1:${await findFreePort()}`,
  };
  const operator = createOperator(variables);
  await operator('migrate');
  const readers = await fillDatabase(port, variables);
  if (command) await operator(...command);
  const service = await startService(cleaning, dataDir, [], { ...variables, TESSERA_ROLES: 'api' });
  return { service, readers, next: 0 };
}

async function fillDatabase(
  port: number,
  variables: { readonly TESSERA_DATA_DIR: string; readonly TESSERA_PUBLIC_URL: string },
): Promise<readonly Reader[]> {
  const settings = { host: '127.0.0.1', port, user: 'postgres', database, ssl: false };
  const { TESSERA_DATA_DIR, TESSERA_PUBLIC_URL } = variables;
  const callers = await insertCallers(settings, TESSERA_DATA_DIR, TESSERA_PUBLIC_URL, caller_count);
  const opened = openDatabase({ ...settings, max: 1 }, () => undefined);
  const { member_id } = callers[0]!;
  await prepareMember(opened, member_id);
  const readers = await insertMatches(opened, TESSERA_DATA_DIR, callers, member_id);
  await opened.close();
  return readers;
}

function measure(
  subjects: Readonly<Record<'plain' | 'distributed', Subject>>,
  at_once: number,
  count: number,
  rounds: number,
) {
  const run = (subject: Subject) => async () => ({ median_ms: await measureMedian(subject, at_once, count) });
  return measureLeastCosts({ plain: run(subjects.plain), distributed: run(subjects.distributed) }, rounds);
}

/** Reads the member so many times, with so many clients. @returns the median in milliseconds. */
async function measureMedian(subject: Subject, at_once: number, count: number): Promise<number> {
  const latencies: number[] = [];
  let sent = 0;
  const runClient = async () => {
    while (sent++ < count) {
      const reader = subject.readers[subject.next++ % subject.readers.length]!;
      const started = performance.now();
      await fetchPaidRead(subject.service, reader);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: at_once }, runClient));
  return latencies.toSorted((one, other) => one - other)[Math.floor(latencies.length / 2)]!;
}
