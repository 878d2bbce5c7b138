import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MemberNoticeKind } from './rules.ts';

/** An email to a member about something of their own, which is due or was sent. */
export type MemberNotice = {
  readonly user_id: string;
  readonly kind: MemberNoticeKind;
  readonly member_id: string;
  readonly happened_at: Date;
  readonly due_at: Date;
};

/** Stores a notice that is sent once in the life of an account. Repeating it changes nothing. */
export async function insertMemberNotice(tx: Transaction, notice: MemberNotice): Promise<void> {
  const { user_id, kind, member_id, happened_at, due_at } = notice;
  await tx.run(sql`
    insert into member_notices (user_id, kind, member_id, happened_at, due_at)
    values (${user_id}, ${kind}, ${member_id}, ${happened_at}, ${due_at}) on conflict do nothing`);
}

/** Stores a notice in place of the earlier one of its kind, sent or not. An older one changes nothing. */
export async function replaceMemberNotice(tx: Transaction, notice: MemberNotice): Promise<void> {
  const { user_id, kind, member_id, happened_at, due_at } = notice;
  await tx.run(sql`
    insert into member_notices as kept (user_id, kind, member_id, happened_at, due_at)
    values (${user_id}, ${kind}, ${member_id}, ${happened_at}, ${due_at})
    on conflict (user_id, kind) do update
      set happened_at = excluded.happened_at, due_at = excluded.due_at, sent_at = null
      where kept.happened_at < excluded.happened_at`);
}

/** A notice by its key. */
export type NoticeKey = Pick<MemberNotice, 'user_id' | 'kind'>;

/** Lists the notices after one that are due, but not since before a time; a summary stays due, because the next one follows from it. */
export function listDueMemberNotices(
  db: Reader,
  due: { readonly since: Date; readonly now: Date },
  { user_id, kind }: { readonly user_id: string; readonly kind: string },
  limit: number,
): Promise<NoticeKey[]> {
  return db.list(sql<NoticeKey>`
    select user_id, kind from member_notices
    where sent_at is null and due_at <= ${due.now} and (due_at >= ${due.since} or kind = 'matches_found') and (user_id, kind) > (${user_id}::uuid, ${kind}::text)
    order by user_id, kind limit ${limit}`);
}

/** Marks a due notice as sent, before it is; undefined if another process was first or nothing is due. */
export function takeMemberNotice(
  db: Executor,
  { user_id, kind }: NoticeKey,
  now: Date,
): Promise<MemberNotice | undefined> {
  return db.find(sql<MemberNotice>`
    update member_notices set sent_at = ${now}
    where user_id = ${user_id} and kind = ${kind} and sent_at is null and due_at <= ${now}
    returning user_id, kind, member_id, happened_at, due_at`);
}

/** Takes back that a notice was sent, because the mail server refused it. `planned` is when the next one of its kind begins, if it replaced it. */
export async function releaseMemberNotice(
  db: Executor,
  { user_id, kind, happened_at, due_at }: MemberNotice,
  planned: Date = happened_at,
): Promise<void> {
  await db.run(sql`
    update member_notices set sent_at = null, happened_at = ${happened_at}, due_at = ${due_at}
    where user_id = ${user_id} and kind = ${kind} and happened_at = ${planned}`);
}

type Rows = Readonly<Record<string, unknown>>[];

export function listMemberNotices(db: Reader, user_ids: readonly string[]): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select kind, happened_at, due_at, sent_at from member_notices where user_id = any(${user_ids}::uuid[]) order by kind`);
}

export async function deleteMemberNotices(tx: Transaction, user_ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from member_notices where user_id = any(${user_ids}::uuid[])`);
}
