import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { findFreePort } from '../../bench/lib/ports.ts';
import { prepareServer, type CitusServer } from './citus.ts';
import { address } from './databases.ts';
import type { Event } from './events.ts';
import { loadVariables, prepareNode, toNodeVariables, type Node } from './nodes.ts';
import { createOperator, type Operator } from './operator.ts';
import { waitFor, type Workshop } from './programs.ts';

/** A distributed database with the service before it. */
export type DistributedCluster = {
  /** The coordinator and the workers. */
  readonly servers: readonly [CitusServer, ...CitusServer[]];
  /** They serve requests. */
  readonly nodes: readonly Node[];
  readonly urls: readonly string[];
  /** Each holds half of the index, and runs tasks. */
  readonly parts: readonly Node[];
  readonly operator: Operator;
};

const database = 'tessera';

/** How long a supervisor waits until it starts a killed process again. */
const restart_ms = 5_000;

/** How long a process may need to be ready, on a machine that others use. */
const ready_seconds_max = 600;

/** How to reach the database on a server, as the superuser. */
export const toSettings = ({ port }: CitusServer): pg.ClientConfig => ({
  host: address,
  port,
  user: 'postgres',
  database,
});

/** Starts a coordinator and two workers, distributes an empty database with the operator's commands, and starts two nodes and two parts of the index. */
export async function startDistributed(
  cleaning: AsyncDisposableStack,
  workshop: Workshop,
  root: string,
): Promise<DistributedCluster> {
  const prepare = (name: string) =>
    prepareServer(cleaning, workshop, { root, name, settings: { 'citus.recover_2pc_interval': '5s' } });
  const [coordinator, ...workers] = [
    await prepare('coordinator'),
    await prepare('worker-1'),
    await prepare('worker-2'),
  ] as const;
  for (const server of [coordinator, ...workers]) await startServer(server);
  await joinServers(coordinator, workers);
  const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };
  const asOwner = createOperator({ ...environment, ...toUrl(coordinator, 'tessera_owner') });
  await asOwner('migrate');
  await asOwner('database', 'distribute', '--yes');
  const own = { ...environment, ...toUrl(coordinator, 'tessera_service'), ...loadVariables };
  const processes = await prepareProcesses(workshop, own);
  for (const each of [...processes.parts, ...processes.nodes]) await each.start();
  for (const each of [...processes.parts, ...processes.nodes])
    await waitFor(each.name, ready_seconds_max, each.isReady);
  return { servers: [coordinator, ...workers], ...processes, operator: createOperator(own) };
}

const toUrl = ({ port }: CitusServer, role: string) => ({
  TESSERA_DATABASE_URL: `postgres://${role}@${address}:${port}/${database}`,
});

/** Starts a server with the roles and the empty database that docs/operating.md describes. */
async function startServer(server: CitusServer): Promise<void> {
  await server.start();
  for (const role of ['tessera_owner login', 'tessera_service login bypassrls', 'tessera_learner login'])
    await server.runStatement(`create role ${role}`);
  await server.runStatement('grant tessera_learner to tessera_service');
  await server.runStatement(`create database ${database} owner tessera_owner`);
  await server.runStatement('create extension citus', database);
}

async function joinServers(coordinator: CitusServer, workers: readonly CitusServer[]): Promise<void> {
  const statements = [
    `select citus_set_coordinator_host('${address}', ${coordinator.port})`,
    ...workers.map(({ port }) => `select citus_add_node('${address}', ${port})`),
    ...['select, insert, update, delete on tables', 'usage, select on sequences', 'usage on schemas'].map(
      (rights) => `alter default privileges for role tessera_owner grant ${rights} to tessera_service`,
    ),
  ];
  for (const statement of statements) await coordinator.runStatement(statement, database);
}

async function prepareProcesses(workshop: Workshop, environment: Readonly<Record<string, string>>) {
  const ports: { port: number; internalPort: number }[] = [];
  for (let count = 0; count < 4; count++)
    ports.push({ port: await findFreePort(), internalPort: await findFreePort() });
  const urls = ports.slice(0, 2).map(({ port }) => `http://${address}:${port}`);
  const prepare = (name: string, position: number, own: Readonly<Record<string, string>>) => {
    const variables = {
      ...environment,
      TESSERA_PUBLIC_URL: urls[0]!,
      ...toNodeVariables(ports[position]!),
      ...own,
    };
    return prepareNode(
      workshop,
      name,
      variables,
      own['TESSERA_INDEX_SHARD'] === undefined ? 'serve' : 'work',
    );
  };
  return {
    urls,
    nodes: [
      await prepare('one', 0, { TESSERA_ROLES: 'api' }),
      await prepare('two', 1, { TESSERA_ROLES: 'api' }),
    ],
    parts: [
      await prepare('part-1', 2, { TESSERA_INDEX_SHARD: '1/2' }),
      await prepare('part-2', 3, { TESSERA_INDEX_SHARD: '2/2' }),
    ],
  };
}

/** Kills each kind of process, and starts it again as its supervisor would. */
export function listDistributedEvents({ servers, nodes, parts }: DistributedCluster): readonly Event[] {
  const waitUntilReady = async () => {
    for (const each of [...nodes, ...parts]) await waitFor(each.name, ready_seconds_max, each.isReady);
  };
  const kill = (
    name: string,
    { kill, start }: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> },
  ): Event => ({
    name: `${name} is killed`,
    breakPart: kill,
    repairPart: async () => {
      await pause(restart_ms);
      await start();
      await waitUntilReady();
    },
  });
  const [coordinator, first] = servers;
  return [
    kill('a database worker', first!),
    kill('the coordinator', coordinator),
    kill('a part of the index', parts[0]!),
    kill('a node', nodes[0]!),
  ];
}
