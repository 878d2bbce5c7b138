import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type HeldRow = Readonly<Record<string, unknown>>;

/** All credentials of the member, oldest first. */
export function listMemberCredentials(db: Reader, member_id: string): Promise<HeldRow[]> {
  return db.list(sql<HeldRow>`
    select id, credential_type, attestation_tier, claims, issued_at, expires_at, revoked_at, revocation_reason, visibility, verifications,
      vc_jwt, sd_jwt_vc, attestation_token, open_badge
    from credentials where member_id = ${member_id} order by issued_at, id`);
}

/** Deletes the member's credentials. @returns the status list entry of each. */
export async function deleteMemberCredentials(
  tx: Transaction,
  member_id: string,
): Promise<readonly { readonly status_list_id: string; readonly status_index: number }[]> {
  const deleted = await tx.list(sql<{ id: string; status_list_id: string; status_index: number }>`
    delete from credentials where member_id = ${member_id} returning id, status_list_id, status_index`);
  // One by one: a distributed database would make erasures wait for each other if one reached all nodes.
  await Promise.all(
    deleted.map(({ id }) => tx.run(sql`delete from credential_holders where credential_id = ${id}`)),
  );
  return deleted;
}
