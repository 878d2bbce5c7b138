import { sql, type Transaction } from '#platform/database/database.ts';

/** Ends the open matches of a job that is closed. */
export async function expireJobMatches(tx: Transaction, job_id: string): Promise<void> {
  await tx.run(sql`
    update matches set match_status = 'expired', expired_from = match_status
    where job_id = ${job_id} and match_status in ('pending_review', 'org_interested', 'member_accepted')`);
}

/** Forgets the expired matches of a job that nobody had acted on, so that their members can be matched with it anew. */
export async function deleteUnseenExpirations(tx: Transaction, job_id: string): Promise<void> {
  await tx.run(sql`
    delete from matches
    where job_id = ${job_id} and match_status = 'expired' and expired_from = 'pending_review'`);
}
