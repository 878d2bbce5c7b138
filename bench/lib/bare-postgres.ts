import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import {
  chooseAccount,
  findBinaries,
  prepareBinaries,
  toSpawnOptions,
  type Account,
  type Binaries,
} from '@tessera/embedded-postgres';
import { service_name } from '#platform/database/embedded-postgres.ts';
import { stopChild } from './child.ts';

/** The programs of the embedded PostgreSQL, run as a shell script would run them: without supervisor, lock or service. */
export type BarePostgres = {
  /** Creates a cluster. */
  create(): Promise<void>;
  /** Starts the server, and waits until it accepts a connection. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function openBarePostgres(directory: string): Promise<BarePostgres> {
  const cluster = path.join(directory, 'cluster');
  const account = await chooseAccount(cluster);
  const binaries = await prepareBinaries(findBinaries(service_name, directory), account);
  await mkdir(directory, { recursive: true, mode: 0o711 });
  await chown(directory, account.uid, account.gid);
  let server: ChildProcess | undefined;
  return {
    create: () => createCluster(binaries, account, cluster),
    start: async () => {
      server = await startServer(binaries, account, cluster, directory);
    },
    stop: async () => {
      if (server) await stopChild(server, 'SIGINT');
    },
  };
}

async function createCluster({ initdb }: Binaries, account: Account, cluster: string): Promise<void> {
  const options = [
    '-D',
    cluster,
    '-U',
    'bench',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  await promisify(execFile)(initdb, options, toSpawnOptions(account));
}

async function startServer(
  { postgres }: Binaries,
  account: Account,
  cluster: string,
  sockets: string,
): Promise<ChildProcess> {
  const options = ['-D', cluster, '-h', '', '-k', sockets];
  const server = spawn(postgres, options, { ...toSpawnOptions(account), stdio: 'ignore' });
  while (!(await isReachable(sockets))) await pause(2);
  return server;
}

async function isReachable(host: string): Promise<boolean> {
  const client = new pg.Client({ host, user: 'bench', database: 'postgres' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
