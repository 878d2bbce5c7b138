import { sql, type Transaction } from '#platform/database/database.ts';

/** Expires the open matches of a job. */
export async function expireJobMatches(tx: Transaction, job_id: string): Promise<void> {
  await tx.run(sql`
    update matches set match_status = 'expired', expired_from = match_status
    where job_id = ${job_id} and match_status in ('pending_review', 'org_interested', 'member_accepted')`);
}

/** Deletes the expired matches of a job on which no one had acted, so that their members can be matched with it again. */
export async function deleteUnseenExpirations(tx: Transaction, job_id: string): Promise<void> {
  await tx.run(sql`
    delete from matches
    where job_id = ${job_id} and match_status = 'expired' and expired_from = 'pending_review'`);
}
