import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

/** Ends the sessions of all users of an organisation. @returns the ids of those that were open. */
export async function revokeOrganisationSessions(
  tx: Transaction,
  org_id: string,
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<{ id: string }>`
    update sessions set revoked_at = ${now}
    where user_id in (select id from users where org_id = ${org_id}) and revoked_at is null returning id`);
  return rows.map(({ id }) => id);
}

/** Lists the ids of the administrators of an organisation who can log in and have verified their addresses. An organisation has at most 200 users. */
export async function listAdministrators(db: Reader, org_id: string): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from users
    where org_id = ${org_id} and role = 'org_admin' and suspended_at is null and removed_at is null and email_verified_at is not null
    order by id`);
  return rows.map(({ id }) => id);
}
