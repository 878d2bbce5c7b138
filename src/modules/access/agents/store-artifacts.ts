import { createHash } from 'node:crypto';
import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';

/** What the protocol remembers between two requests. The library has more kinds, which this service does not use. */
export type ArtifactKind = 'AuthorizationCode' | 'Grant' | 'Interaction' | 'RefreshToken' | 'ReplayDetection';

/** The content of an artifact, as the library writes it. */
export type ArtifactPayload = Readonly<Record<string, unknown>>;

export type Artifact = {
  readonly payload: ArtifactPayload;
  readonly created_at: Date;
  readonly consumed_at: Date | null;
  readonly expires_at: Date;
};

export type ArtifactKey = { readonly kind: ArtifactKind; readonly id: string };

/** Finds an artifact that has not expired. A consumed one is found too, because its second use ends the grant. */
export function findArtifact(db: Reader, key: ArtifactKey, now: Date): Promise<Artifact | undefined> {
  return db.find(sql<Artifact>`
    select payload, created_at, consumed_at, expires_at from oauth_artifacts
    where id_hash = ${hashKey(key)} and expires_at > ${now}`);
}

/** Locks an artifact against changes until the transaction ends. */
export async function lockArtifact(tx: Transaction, key: ArtifactKey): Promise<void> {
  await tx.run(sql`select from oauth_artifacts where id_hash = ${hashKey(key)} for update`);
}

/** Stores an artifact, or replaces its content and its expiry. */
export async function upsertArtifact(
  db: Executor,
  key: ArtifactKey,
  artifact: {
    readonly user_id: string | null;
    readonly grant_id: string | null;
    readonly payload: ArtifactPayload;
    readonly now: Date;
    readonly expires_at: Date;
  },
): Promise<void> {
  const { user_id, grant_id, payload, now, expires_at } = artifact;
  await db.run(sql`
    insert into oauth_artifacts (id_hash, kind, user_id, grant_id, payload, created_at, expires_at)
    values (${hashKey(key)}, ${key.kind}, ${user_id}, ${grant_id}, ${JSON.stringify(payload)}, ${now}, ${expires_at})
    on conflict (id_hash) do update set payload = excluded.payload, expires_at = excluded.expires_at`);
}

/** Stores an artifact. @returns false if one with the same id exists: of two concurrent calls, one succeeds. */
export async function insertArtifact(
  db: Executor,
  key: ArtifactKey,
  artifact: { readonly payload: ArtifactPayload; readonly now: Date; readonly expires_at: Date },
): Promise<boolean> {
  const { payload, now, expires_at } = artifact;
  const inserted = await db.run(sql`
    insert into oauth_artifacts (id_hash, kind, payload, created_at, expires_at)
    values (${hashKey(key)}, ${key.kind}, ${JSON.stringify(payload)}, ${now}, ${expires_at})
    on conflict (id_hash) do nothing`);
  return inserted === 1;
}

/** Counts the refresh tokens that the grant of a refresh token got since a time, but no further than `count_max`. */
export function countRecentTokens(
  db: Reader,
  id: string,
  { since, count_max }: { readonly since: Date; readonly count_max: number },
): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*)::int as count from (
      select from oauth_artifacts
      where grant_id = (select grant_id from oauth_artifacts where id_hash = ${hashKey({ kind: 'RefreshToken', id })})
        and kind = 'RefreshToken' and created_at > ${since}
      limit ${count_max}) as recent`);
}

/** Marks an artifact as used. @returns false if it was used before: of two concurrent uses, one succeeds. */
export async function consumeArtifact(db: Executor, key: ArtifactKey, now: Date): Promise<boolean> {
  const consumed = await db.run(sql`
    update oauth_artifacts set consumed_at = ${now} where id_hash = ${hashKey(key)} and consumed_at is null`);
  return consumed === 1;
}

export async function deleteArtifact(db: Executor, key: ArtifactKey): Promise<void> {
  await db.run(sql`delete from oauth_artifacts where id_hash = ${hashKey(key)}`);
}

/** Deletes the codes, refresh tokens and permissions of a grant. */
export async function deleteGrantArtifacts(db: Executor, grant_id: string): Promise<void> {
  await db.run(sql`delete from oauth_artifacts where grant_id = ${grant_id}`);
}

/** Deletes expired artifacts. @returns the number deleted. */
export async function deleteExpiredArtifacts(db: Executor, now: Date, rows_max: number): Promise<number> {
  return db.run(sql`
    delete from oauth_artifacts where id_hash in (
      select id_hash from oauth_artifacts where expires_at <= ${now} limit ${rows_max})`);
}

/** Lists what the protocol remembers about some users, without the content, which has nothing else about them. */
export function listUserArtifacts(db: Reader, user_ids: readonly string[]) {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select kind, user_id, grant_id, created_at, consumed_at, expires_at from oauth_artifacts
    where user_id = any(${user_ids}) order by created_at`);
}

export async function deleteUserArtifacts(db: Executor, user_ids: readonly string[]): Promise<void> {
  await db.run(sql`delete from oauth_artifacts where user_id = any(${user_ids})`);
}

function hashKey({ kind, id }: ArtifactKey): Buffer {
  return createHash('sha256').update(`${kind} ${id}`).digest();
}
