import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SOCKET_PORT } from './socket-directory.ts';
import type { EmbeddedPostgres } from './supervisor.ts';

/**
 * Returns the connection to the server of the service called `name` that another process runs on this data directory, or undefined if none was started. It reads
 * `postmaster.pid`, whose fifth line is the directory of the socket. It does not check whether the server still runs.
 */
export async function findRunningPostgres(
  name: string,
  dataDir: string,
  database: string = name,
): Promise<EmbeddedPostgres['connection'] | undefined> {
  const lines = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n'),
    () => [],
  );
  const host = lines[4];
  return host ? { host, port: SOCKET_PORT, user: name, database } : undefined;
}
