import * as embedded from '@tessera/embedded-postgres';

/** The name of the embedded server's superuser and database. */
export const service_name = 'tessera';

/** Starts the embedded server of this service; see the package for what it does and throws. */
export function startEmbeddedPostgres(
  options: Omit<embedded.StartOptions, 'name'>,
): Promise<embedded.EmbeddedPostgres> {
  return embedded.startEmbeddedPostgres({ name: service_name, ...options });
}

/** Finds the embedded server that another process of this service runs on a data directory; undefined if none was started. */
export function findRunningPostgres(
  dataDir: string,
  database?: string,
): Promise<embedded.EmbeddedPostgres['connection'] | undefined> {
  return embedded.findRunningPostgres(service_name, dataDir, database);
}
