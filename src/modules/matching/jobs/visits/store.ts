import { sql, type Reader, type Transaction } from '#platform/database/database.ts';

type VisitKey = { readonly job_id: string; readonly user_id: string };

/** Stores that a user looks at the people of a job. After `gap_minutes` without a look, a new visit begins. @returns when the visit before it ended. */
export async function upsertVisit(
  tx: Transaction,
  { job_id, user_id }: VisitKey,
  { now, gap_minutes }: { readonly now: Date; readonly gap_minutes: number },
): Promise<Date | null> {
  const { new_since } = await tx.one(sql<{ new_since: Date | null }>`
    insert into job_visits as kept (job_id, user_id, seen_at) values (${job_id}, ${user_id}, ${now})
    on conflict (job_id, user_id) do update set
      seen_at = greatest(kept.seen_at, excluded.seen_at),
      new_since = case
        when excluded.seen_at > kept.seen_at + make_interval(mins => ${gap_minutes}) then kept.seen_at else kept.new_since end
    returning new_since`);
  return new_since;
}

/** Finds when the visit of a user before the current one ended; undefined if there was none. */
export async function findNewSince(db: Reader, { job_id, user_id }: VisitKey): Promise<Date | undefined> {
  const visit = await db.find(sql<{ new_since: Date | null }>`
    select new_since from job_visits where job_id = ${job_id} and user_id = ${user_id}`);
  return visit?.new_since ?? undefined;
}
