import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../bench/lib/ports.ts';
import { waitFor, type Program, type Workshop } from './programs.ts';

export const address = '127.0.0.1';

const postgresBin = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin';

/** A database host: Patroni, and the PostgreSQL that it runs. */
export type DatabaseHost = {
  readonly name: string;
  readonly postgresPort: number;
  readonly patroniPort: number;
  readonly start: () => Promise<void>;
  /** Kills PostgreSQL and its Patroni at the same time, without a warning. */
  readonly kill: () => Promise<void>;
};

export type Databases = {
  readonly hosts: readonly DatabaseHost[];
  readonly passwords: { readonly superuser: string };
  readonly findPrimary: () => Promise<DatabaseHost | undefined>;
  /** Hands the role of the primary to another host, as an operator does before maintenance. */
  readonly switchPrimary: () => Promise<void>;
  /** Waits until there is a primary and a synchronous standby. */
  readonly waitUntilProtected: () => Promise<void>;
};

/** Starts three members of etcd and three hosts with Patroni, and waits for a primary with a synchronous standby. */
export async function startDatabases(cleaning: AsyncDisposableStack, workshop: Workshop): Promise<Databases> {
  const etcdHosts = await startEtcd(workshop);
  const passwords = {
    superuser: createPassword(),
    replication: createPassword(),
    rewind: createPassword(),
  };
  const prepare = (name: string) => prepareHost(cleaning, workshop, { name, etcdHosts, passwords });
  const hosts = [await prepare('a'), await prepare('b'), await prepare('c')];
  for (const host of hosts) await host.start();
  const databases = buildDatabases(hosts, passwords);
  await databases.waitUntilProtected();
  return databases;
}

const createPassword = () => randomBytes(18).toString('base64url');

async function startEtcd({ folder, start }: Workshop): Promise<string> {
  const members: { name: string; peer: string; client: string }[] = [];
  for (const name of ['e1', 'e2', 'e3'])
    members.push({
      name,
      peer: `http://${address}:${await findFreePort()}`,
      client: `http://${address}:${await findFreePort()}`,
    });
  const cluster = members.map(({ name, peer }) => `${name}=${peer}`).join(',');
  for (const { name, peer, client } of members)
    await start(`etcd-${name}`, 'etcd', [
      `--name=${name}`,
      `--data-dir=${path.join(folder, name)}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--initial-cluster=${cluster}`,
      '--initial-cluster-state=new',
    ]);
  await waitFor('etcd', 30, async () => (await fetch(`${members[0]!.client}/health`)).ok);
  return members.map(({ client }) => new URL(client).host).join(',');
}

type HostOptions = {
  readonly name: string;
  readonly etcdHosts: string;
  readonly passwords: { readonly superuser: string; readonly replication: string; readonly rewind: string };
};

async function prepareHost(
  cleaning: AsyncDisposableStack,
  workshop: Workshop,
  { name, etcdHosts, passwords }: HostOptions,
): Promise<DatabaseHost> {
  const directory = await workshop.makeDirectory(`host-${name}`);
  const dataDir = path.join(directory, 'data');
  const ports = { postgresPort: await findFreePort(), patroniPort: await findFreePort() };
  const file = await workshop.fillIn('patroni.yml', `patroni-${name}.yml`, {
    NAME: name,
    ADDRESS: address,
    NETWORK: `${address}/32`,
    PATRONI_PORT: ports.patroniPort,
    POSTGRES_PORT: ports.postgresPort,
    ETCD_HOSTS: etcdHosts,
    POSTGRES_BIN: postgresBin,
    DATA_DIR: dataDir,
    SOCKET_DIR: directory,
    SUPERUSER_PASSWORD: passwords.superuser,
    REPLICATION_PASSWORD: passwords.replication,
    REWIND_PASSWORD: passwords.rewind,
  });
  let patroni: Program | undefined;
  const kill = async () => {
    await Promise.all([patroni?.kill(), killPostgres(dataDir)]);
    patroni = undefined;
  };
  cleaning.defer(kill);
  return {
    name,
    ...ports,
    kill,
    start: async () => {
      patroni = await workshop.start(`patroni-${name}`, 'patroni', [file], { asAccount: true });
    },
  };
}

/** Kills PostgreSQL, which is not in the process group of Patroni. */
async function killPostgres(dataDir: string): Promise<void> {
  const text = await readFile(path.join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  try {
    if (pid > 1) process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function buildDatabases(hosts: readonly DatabaseHost[], passwords: HostOptions['passwords']): Databases {
  const findPrimary = async () => {
    const states = await Promise.all(hosts.map(({ patroniPort }) => isOk(patroniPort, '/primary')));
    return hosts.find((_, position) => states[position]);
  };
  return {
    hosts,
    passwords,
    findPrimary,
    switchPrimary: async () => {
      const primary = await findPrimary();
      const states = await Promise.all(hosts.map(({ patroniPort }) => isOk(patroniPort, '/sync')));
      const standby = hosts.find((_, position) => states[position]);
      if (!primary || !standby) throw new Error('there is no primary with a synchronous standby');
      const response = await fetch(`http://${address}:${primary.patroniPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: primary.name, candidate: standby.name }),
      });
      if (!response.ok) throw new Error(`the switchover failed: ${await response.text()}`);
    },
    waitUntilProtected: async () => {
      const primary = await waitFor('a primary', 120, findPrimary);
      const settings = {
        host: address,
        port: primary.postgresPort,
        user: 'postgres',
        password: passwords.superuser,
        database: 'postgres',
      };
      await waitFor('a synchronous standby and a second one', 180, () => hasStandbys(settings));
    },
  };
}

async function isOk(port: number, endpoint: string): Promise<boolean> {
  const options = { method: 'OPTIONS', signal: AbortSignal.timeout(2_000) };
  return fetch(`http://${address}:${port}${endpoint}`, options).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function hasStandbys(settings: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ standbys: string; synchronous: string }>(
      "select count(*) as standbys, count(*) filter (where sync_state = 'sync') as synchronous from pg_stat_replication where state = 'streaming'",
    );
    return Number(rows[0]?.standbys) === 2 && Number(rows[0]?.synchronous) >= 1;
  } finally {
    await client.end();
  }
}
