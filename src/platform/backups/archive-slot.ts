import type { Client, ClientConfig } from 'pg';
import { openClient } from '#platform/database/connections.ts';

/** The replication slot in which the server keeps the log that is not archived yet. */
export const SLOT = 'tessera_archive';

/** Lets the server forget the log that an archive needed which is no longer configured. */
export async function forgetArchive(connection: ClientConfig): Promise<void> {
  const client = await openClient(connection);
  try {
    await dropSlot(client);
  } finally {
    await client.end();
  }
}

/** Removes the slot, if there is one. */
export async function dropSlot(client: Client): Promise<void> {
  await client.query(
    `SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '${SLOT}'`,
  );
}
