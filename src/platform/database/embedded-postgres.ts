import * as embedded from '@tessera/embedded-postgres';

/** The name of the embedded server's superuser and database. */
export const service_name = 'tessera';

/**
 * A page is logged as a whole when it changes for the first time after a checkpoint. With checksums, that includes the first reading of rows that were
 * changed, which an export of many rows then pays for: 5.1 MB for 14,700 matches, and 1.6 MB compressed.
 */
const settings = {
  wal_compression: 'pglz',
  // An archive whose storage refuses makes the server keep its log. Beyond this, a new backup is better than a full disk.
  max_slot_wal_keep_size: '4GB',
};

/** Starts the embedded server of this service; see the package for what it does and throws. */
export function startEmbeddedPostgres(
  options: Omit<embedded.StartOptions, 'name'>,
): Promise<embedded.EmbeddedPostgres> {
  return embedded.startEmbeddedPostgres({
    name: service_name,
    ...options,
    settings: { ...settings, ...options.settings },
  });
}

/** Finds the embedded server that another process of this service runs on a data directory; undefined if none was started. */
export function findRunningPostgres(
  dataDir: string,
  database?: string,
): Promise<embedded.EmbeddedPostgres['connection'] | undefined> {
  return embedded.findRunningPostgres(service_name, dataDir, database);
}
