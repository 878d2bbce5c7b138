import { sql, type Executor, type Reader } from '#platform/database/database.ts';

/** A client that registered itself. */
export type RegisteredClient = {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly secret_sealed: Buffer | null;
};

export function findClient(db: Reader, id: string): Promise<RegisteredClient | undefined> {
  return db.find(
    sql<RegisteredClient>`select id, metadata, secret_sealed from oauth_clients where id = ${id}`,
  );
}

export async function insertClient(db: Executor, client: RegisteredClient, now: Date): Promise<void> {
  const { id, metadata, secret_sealed } = client;
  await db.run(sql`
    insert into oauth_clients (id, metadata, secret_sealed, created_at)
    values (${id}, ${JSON.stringify(metadata)}, ${secret_sealed}, ${now})`);
}

/** Deletes the oldest clients that nobody has used, up to ten of those beyond the newest `count_max`. */
export async function deleteOldestUnusedClients(db: Executor, count_max: number): Promise<void> {
  await db.run(sql`
    delete from oauth_clients where used_at is null and id in (
      select id from oauth_clients where used_at is null order by created_at desc offset ${count_max} limit 10)`);
}

/** Records that a person has just allowed the client something. A client without a row is named by its metadata's URL. */
export async function recordClientUse(db: Executor, id: string, now: Date): Promise<void> {
  await db.run(sql`update oauth_clients set used_at = ${now} where id = ${id}`);
}

/** Deletes clients that nobody has used since `unused_since`, or that were used and not since `idle_since`. */
export async function deleteIdleClients(
  db: Executor,
  { unused_since, idle_since }: { readonly unused_since: Date; readonly idle_since: Date },
  rows_max: number,
): Promise<number> {
  return db.run(sql`
    delete from oauth_clients where id in (
      select id from oauth_clients
      where (used_at is null and created_at <= ${unused_since}) or used_at <= ${idle_since} limit ${rows_max})`);
}
