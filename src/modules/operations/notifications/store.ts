import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MatchNoticeKind, Settings } from './rules.ts';

const settingColumns = sql`match_proposed, match_accepted, match_declined, feedback_open, data_read, results_ready, assessment_unfinished,
  credential_offered, credential_revoked, matches_found`;

/** Finds the settings of a user; undefined if the user has chosen none. */
export function findSettings(db: Reader, user_id: string): Promise<Settings | undefined> {
  return db.find(sql<Settings>`
    select ${settingColumns} from notification_settings where user_id = ${user_id}`);
}

/** Locks the settings of a user against other changes, and first stores the defaults for a user who has chosen none. */
export function lockSettings(
  tx: Transaction,
  user_id: string,
  {
    match_proposed,
    match_accepted,
    match_declined,
    feedback_open,
    data_read,
    results_ready,
    assessment_unfinished,
    credential_offered,
    credential_revoked,
    matches_found,
  }: Settings,
  now: Date,
): Promise<Settings> {
  // Only an update locks a row that exists already; it changes nothing.
  return tx.one(sql<Settings>`
    insert into notification_settings as kept (user_id, match_proposed, match_accepted, match_declined, feedback_open, data_read,
      results_ready, assessment_unfinished, credential_offered, credential_revoked, matches_found, updated_at)
    values (${user_id}, ${match_proposed}, ${match_accepted}, ${match_declined}, ${feedback_open}, ${data_read},
      ${results_ready}, ${assessment_unfinished}, ${credential_offered}, ${credential_revoked}, ${matches_found}, ${now})
    on conflict (user_id) do update set updated_at = kept.updated_at returning ${settingColumns}`);
}

/** Stores the settings of a user, which the transaction has locked. */
export function updateSettings(
  tx: Transaction,
  user_id: string,
  {
    match_proposed,
    match_accepted,
    match_declined,
    feedback_open,
    data_read,
    results_ready,
    assessment_unfinished,
    credential_offered,
    credential_revoked,
    matches_found,
  }: Settings,
  now: Date,
): Promise<Settings> {
  return tx.one(sql<Settings>`
    update notification_settings set match_proposed = ${match_proposed}, match_accepted = ${match_accepted},
      match_declined = ${match_declined}, feedback_open = ${feedback_open}, data_read = ${data_read},
      results_ready = ${results_ready}, assessment_unfinished = ${assessment_unfinished},
      credential_offered = ${credential_offered}, credential_revoked = ${credential_revoked}, matches_found = ${matches_found}, updated_at = ${now}
    where user_id = ${user_id} returning ${settingColumns}`);
}

/** Says whether a user still exists. */
export async function hasUser(db: Reader, id: string): Promise<boolean> {
  const user = await db.find(sql<{ id: string }>`
    select id from org_users where id = ${id} union all select id from member_users where id = ${id}`);
  return user !== undefined;
}

/** Something to tell a user about a match. */
export type Notice = { readonly user_id: string; readonly kind: MatchNoticeKind; readonly match_id: string };

/** Adds a notice to the user's next digest. Repeating it changes nothing. */
export async function insertWaitingNotice(tx: Transaction, notice: Notice, due_at: Date): Promise<void> {
  const { user_id, kind, match_id } = notice;
  await tx.run(sql`
    insert into waiting_notices (user_id, kind, match_id, due_at) values (${user_id}, ${kind}, ${match_id}, ${due_at})
    on conflict do nothing`);
}

/** Lists users with ids greater than `after` whose digest is due, in order of id. */
export async function listDueUsers(
  db: Reader,
  { now, after, limit }: { readonly now: Date; readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ user_id: string }>`
    select user_id from waiting_notices where due_at <= ${now} and user_id > ${after}
    union select user_id from read_notices where due_at <= ${now} and user_id > ${after} order by user_id limit ${limit}`);
  return rows.map(({ user_id }) => user_id);
}

export function listDueNotices(db: Reader, user_id: string, now: Date, limit: number): Promise<Notice[]> {
  return db.list(sql<Notice>`
    select user_id, kind, match_id from waiting_notices where user_id = ${user_id} and due_at <= ${now}
    order by kind, match_id limit ${limit}`);
}

export async function deleteNotices(
  db: Executor,
  user_id: string,
  notices: readonly Notice[],
): Promise<void> {
  await db.run(sql`
    delete from waiting_notices using unnest(${notices.map(({ kind }) => kind)}::text[],
      ${notices.map(({ match_id }) => match_id)}::uuid[]) as sent (kind, match_id)
    where user_id = ${user_id} and waiting_notices.kind = sent.kind and waiting_notices.match_id = sent.match_id`);
}

type Rows = Readonly<Record<string, unknown>>[];

export function listSettings(db: Reader, user_ids: readonly string[]): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select match_proposed, feedback_open, data_read, results_ready, assessment_unfinished, credential_offered, credential_revoked, matches_found, updated_at
    from notification_settings where user_id = any(${user_ids}::uuid[])`);
}

/** Lists what the next digests of users say. */
export function listWaitingNotices(db: Reader, user_ids: readonly string[]): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select kind, match_id, due_at from waiting_notices where user_id = any(${user_ids}::uuid[]) order by due_at, match_id`);
}

export async function deleteAllOfUsers(tx: Transaction, user_ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from notification_settings where user_id = any(${user_ids}::uuid[])`);
  await tx.run(sql`delete from waiting_notices where user_id = any(${user_ids}::uuid[])`);
}
