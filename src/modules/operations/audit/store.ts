import { emptySql, sql, type Reader, type Statement, type Transaction } from '#platform/database/database.ts';
import type { AuditEntry, AuditFilter, AuditReach } from './rules.ts';

export function insertEntry(tx: Transaction, entry: AuditEntry): void {
  const { id, action, actor_user_id, actor_role, member_id, org_id, detail, created_at } = entry;
  void tx.runAhead(sql`
    insert into audit_log (id, action, actor_user_id, actor_role, member_id, org_id, detail, created_at)
    values (${id}, ${action}, ${actor_user_id}, ${actor_role}, ${member_id}, ${org_id}, ${JSON.stringify(detail)}, ${created_at})`);
}

/** The entries that a reader may see and asks for, newest first; `after` is the id of the last entry on the previous page. */
export function listEntries(
  db: Reader,
  { reach, filter }: { readonly reach: AuditReach; readonly filter: AuditFilter },
  after: string | undefined,
  limit: number,
): Promise<AuditEntry[]> {
  const from = after ? sql`and sequence < (select sequence from audit_log where id = ${after})` : emptySql;
  return db.list(sql<AuditEntry>`
    select id, action, actor_user_id, actor_role, member_id, org_id, detail, created_at from audit_log
    where ${buildReachCondition(reach)} ${buildFilterCondition(reach, filter)} ${from} order by sequence desc limit ${limit}`);
}

export function countEntries(
  db: Reader,
  { reach, filter }: { readonly reach: AuditReach; readonly filter: AuditFilter },
): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from audit_log where ${buildReachCondition(reach)} ${buildFilterCondition(reach, filter)}`);
}

/** What an organisation has done with a match, oldest first. */
export function listStatusChanges(
  db: Reader,
  org_id: string,
  match_id: string,
): Promise<Pick<AuditEntry, 'detail' | 'created_at'>[]> {
  return db.list(sql<Pick<AuditEntry, 'detail' | 'created_at'>>`
    select detail, created_at from audit_log
    where org_id = ${org_id} and action = 'matching.status_changed' and detail ->> 'match_id' = ${match_id}
    order by sequence limit 50`);
}

/** The entries about acts of a member or concerning the member, oldest first. */
export function listMemberEntries(
  db: Reader,
  member_id: string,
  user_ids: readonly string[],
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select id, action, actor_role, coalesce(actor_user_id = any(${user_ids}::uuid[]), false) as by_member, org_id, detail, created_at
    from audit_log
    where member_id = ${member_id} or actor_user_id = any(${user_ids}::uuid[]) order by sequence`);
}

/** Removes a member from every entry. The database refuses unless the member's account is marked for deletion. */
export async function severMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`select sever_audit(${member_id})`);
}

/** Deletes at most `limit` entries from before a time, the oldest first. @returns how many were deleted. */
export async function deleteOldEntries(db: Reader, before: Date, limit: number): Promise<number> {
  const { deleted } = await db.one(
    sql<{ deleted: number }>`select forget_audit(${before}, ${limit}) as deleted`,
  );
  return deleted;
}

function buildReachCondition(reach: AuditReach): Statement {
  if (reach.of === 'everybody') return sql`true`;
  if (reach.of === 'organisation') return sql`org_id = ${reach.org_id}`;
  return sql`(member_id = ${reach.member_id} or actor_user_id = ${reach.user_id})`;
}

function buildFilterCondition(reach: AuditReach, filter: AuditFilter): Statement {
  const { action, since, until, actor_user_id, member_id, org_id } = filter;
  // Readers of an organisation see only the ids of its users, so a filter must not find other actors by id either.
  const shown =
    reach.of === 'organisation' ? sql`and actor_role in ('org_admin', 'org_viewer', 'auditor')` : emptySql;
  return sql`
    ${action === undefined ? emptySql : matchAction(action)}
    ${since === undefined ? emptySql : sql`and created_at >= ${since}`}
    ${until === undefined ? emptySql : sql`and created_at < ${until}`}
    ${actor_user_id === undefined ? emptySql : sql`and actor_user_id = ${actor_user_id} ${shown}`}
    ${member_id === undefined ? emptySql : sql`and member_id = ${member_id}`}
    ${org_id === undefined ? emptySql : sql`and org_id = ${org_id}`}`;
}

/** `jobs.*` are all actions that begin with `jobs.` */
function matchAction(action: string): Statement {
  if (!action.endsWith('*')) return sql`and action = ${action}`;
  return sql`and starts_with(action, ${action.slice(0, -1)})`;
}
