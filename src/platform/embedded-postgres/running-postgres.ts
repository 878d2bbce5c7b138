import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SUPERUSER } from './cluster.ts';
import { SOCKET_PORT } from './socket-directory.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

/**
 * The connection to the server that another process runs on this data directory, from the server's own `postmaster.pid` (its fifth line
 * is the socket's directory); undefined where none was started. Whether it still answers, a connection tells.
 */
export async function findRunningPostgres(
  dataDir: string,
  database: string = SUPERUSER,
): Promise<EmbeddedPostgres['connection'] | undefined> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const host = lines[4];
  return host ? { host, port: SOCKET_PORT, user: SUPERUSER, database } : undefined;
}
