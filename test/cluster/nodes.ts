import { randomBytes } from 'node:crypto';
import path from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../bench/lib/ports.ts';
import { address, type Databases } from './databases.ts';
import { waitFor, type Program, type Workshop } from './programs.ts';

/** One process of the service, which serves requests and runs tasks. */
export type Node = {
  readonly name: string;
  readonly start: () => Promise<void>;
  readonly kill: () => Promise<void>;
  readonly isReady: () => Promise<boolean>;
  /** Where it writes mails as files. */
  readonly mailFolder: string;
};

export type Cluster = {
  /** The address of the service behind HAProxy. */
  readonly url: string;
  readonly nodes: readonly Node[];
  readonly redis: { readonly kill: () => Promise<void>; readonly start: () => Promise<void> };
  /** How to reach the primary behind HAProxy, as the superuser. */
  readonly settings: pg.ClientConfig;
  /** Runs an operator command as the service's role. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Payments without a chain, income that can be paid out at once, and erasures without a time to think. */
export const loadVariables = {
  TESSERA_RATE_LIMITS: 'off',
  TESSERA_LOG_LEVEL: 'warn',
  TESSERA_PAYMENT_RAIL: 'mock',
  TESSERA_PAYOUT_HOLD_SECONDS: '0',
  TESSERA_PAYOUT_MINIMUM_CENTS: '1',
  TESSERA_RETENTION_SECONDS: '0',
} as const;

/** Starts Redis, HAProxy and two nodes in front of the databases, and waits until both nodes are ready. */
export async function startCluster(workshop: Workshop, databases: Databases): Promise<Cluster> {
  const ports = {
    database: await findFreePort(),
    service: await findFreePort(),
    redis: await findFreePort(),
  };
  const nodePorts = [
    { port: await findFreePort(), internalPort: await findFreePort() },
    { port: await findFreePort(), internalPort: await findFreePort() },
  ] as const;
  const redis = await prepareRedis(workshop, ports.redis);
  await redis.start();
  await startHaproxy(workshop, databases, ports, nodePorts);
  const settings = {
    host: address,
    port: ports.database,
    user: 'postgres',
    password: databases.passwords.superuser,
    database: 'tessera',
  };
  await createDatabase(settings);
  const environment = {
    TESSERA_DATABASE_URL: `postgres://postgres:${settings.password}@${address}:${ports.database}/tessera`,
    TESSERA_REDIS_URL: `redis://${address}:${ports.redis}`,
    TESSERA_PUBLIC_URL: `http://${address}:${ports.service}`,
    TESSERA_MASTER_KEY: randomBytes(32).toString('base64'),
    TESSERA_TRUSTED_PROXIES: `${address}/32`,
    ...loadVariables,
  };
  const nodes = [
    await prepareNode(workshop, 'one', { ...environment, ...toNodeVariables(nodePorts[0]) }),
    await prepareNode(workshop, 'two', { ...environment, ...toNodeVariables(nodePorts[1]) }),
  ];
  for (const node of nodes) await node.start();
  for (const node of nodes) await waitFor(`node ${node.name}`, 120, node.isReady);
  return { url: environment.TESSERA_PUBLIC_URL, nodes, redis, settings, environment };
}

export type NodePorts = { readonly port: number; readonly internalPort: number };

/** The variables of a node's ports. */
export const toNodeVariables = ({ port, internalPort }: NodePorts) => ({
  TESSERA_PORT: String(port),
  TESSERA_INTERNAL_PORT: String(internalPort),
});

async function prepareRedis(workshop: Workshop, port: number): Promise<Cluster['redis']> {
  let program: Program | undefined;
  return {
    start: async () => {
      const words = `--bind ${address} --port ${port} --appendonly no --save`.split(' ');
      program = await workshop.start('redis', 'redis-server', [...words, '']);
    },
    kill: async () => program?.kill(),
  };
}

async function startHaproxy(
  workshop: Workshop,
  { hosts }: Databases,
  ports: { readonly database: number; readonly service: number },
  [one, two]: readonly [NodePorts, NodePorts],
): Promise<void> {
  const names = ['A', 'B', 'C'];
  const addresses = hosts.flatMap(({ postgresPort, patroniPort }, position) => [
    [`POSTGRES_${names[position]}`, `${address}:${postgresPort}`],
    [`PATRONI_PORT_${names[position]}`, patroniPort],
  ]);
  const file = await workshop.fillIn('haproxy.cfg', 'haproxy.cfg', {
    ...Object.fromEntries(addresses),
    ADDRESS: address,
    DATABASE_PORT: ports.database,
    SERVICE_PORT: ports.service,
    STATS_SOCKET: path.join(workshop.folder, 'haproxy.sock'),
    NODE_ONE: `${address}:${one.port}`,
    NODE_TWO: `${address}:${two.port}`,
    INTERNAL_PORT_ONE: one.internalPort,
    INTERNAL_PORT_TWO: two.internalPort,
  });
  await workshop.start('haproxy', 'haproxy', ['-db', '-f', file]);
}

async function createDatabase(settings: pg.ClientConfig): Promise<void> {
  const connect = async () => {
    const client = new pg.Client({ ...settings, database: 'postgres', connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const client = await waitFor('the primary behind HAProxy', 30, connect);
  await client.query('create database tessera');
  await client.end();
}

/** Prepares a process with a data directory and an internal port of its own. `command` is `serve`, or `work` for one that serves no requests. */
export async function prepareNode(
  workshop: Workshop,
  name: string,
  environment: Readonly<Record<string, string>>,
  command: 'serve' | 'work' = 'serve',
): Promise<Node> {
  const directory = await workshop.makeDirectory(`node-${name}`);
  const env = { ...environment, TESSERA_DATA_DIR: directory };
  let program: Program | undefined;
  return {
    name,
    start: async () => {
      program = await workshop.start(`node-${name}`, process.execPath, ['src/app/main.js', command], { env });
    },
    kill: async () => program?.kill(),
    isReady: async () => {
      const url = `http://${address}:${env['TESSERA_INTERNAL_PORT' as keyof typeof env]}/health/ready`;
      return (await fetch(url, { signal: AbortSignal.timeout(3_000) })).ok;
    },
    mailFolder: path.join(directory, 'mail'),
  };
}
