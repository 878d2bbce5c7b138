import { sql, type Transaction } from '#platform/database/database.ts';

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
