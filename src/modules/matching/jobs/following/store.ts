import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type Following = { readonly job_id: string; readonly user_id: string };

/** Makes a user follow a job, with the commit. Repeating it changes nothing. */
export function insertFollower(tx: Transaction, { job_id, user_id }: Following): void {
  void tx.runAhead(sql`
    insert into job_followers (job_id, user_id) values (${job_id}, ${user_id}) on conflict do nothing`);
}

/** Makes a user stop following a job, with the commit. Repeating it changes nothing. */
export function deleteFollower(tx: Transaction, { job_id, user_id }: Following): void {
  void tx.runAhead(sql`delete from job_followers where job_id = ${job_id} and user_id = ${user_id}`);
}

/** Says whether a user follows a job. */
export async function isFollower(db: Reader, { job_id, user_id }: Following): Promise<boolean> {
  const row = await db.find(sql<{ user_id: string }>`
    select user_id from job_followers where job_id = ${job_id} and user_id = ${user_id}`);
  return row !== undefined;
}

/** Finds whether a user follows a job of the organisation; undefined if it has no such job. */
export function findFollowing(
  db: Reader,
  org_id: string,
  { job_id, user_id }: Following,
): Promise<{ readonly job_id: string; readonly following: boolean } | undefined> {
  return db.find(sql<{ job_id: string; following: boolean }>`
    select id as job_id, exists (select 1 from job_followers where job_id = ${job_id} and user_id = ${user_id}) as following
    from jobs where id = ${job_id} and org_id = ${org_id}`);
}

/** Lists the users who follow a job and still belong to its organisation. An organisation has at most 200 users. */
export async function listFollowers(db: Reader, job_id: string, org_id: string): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from job_followers join org_users on id = user_id
    where job_id = ${job_id} and org_id = ${org_id} and suspended_at is null order by id`);
  return rows.map(({ id }) => id);
}
