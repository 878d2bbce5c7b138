import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { ReachFilter } from './rules.ts';

/** Counts all deployed members by what jobs ask of a profile, and replaces the earlier count. Experience beyond `years_max` is one kind. */
export async function replaceCells(
  tx: Transaction,
  { now, years_max }: { readonly now: Date; readonly years_max: number },
): Promise<void> {
  await tx.run(sql`delete from reach_cells`);
  await tx.run(sql`
    insert into reach_cells (location_country, location_state, years_experience, education_level, clearance_held, members)
    select location_country, coalesce(location_state, ''), least(years_experience, ${years_max}), education_level::text,
      coalesce(clearance_held::text, 'none'), count(*)
    from deployed_profiles left join matching_preferences using (member_id)
    group by 1, 2, 3, 4, 5`);
  await tx.run(sql`
    insert into reach_counts (id, counted_at) values (1, ${now}) on conflict (id) do update set counted_at = excluded.counted_at`);
}

/** Finds when the members were counted; undefined if they never were. */
export async function findCountTime(db: Reader): Promise<Date | undefined> {
  const row = await db.find(sql<{ counted_at: Date }>`select counted_at from reach_counts where id = 1`);
  return row?.counted_at;
}

/** Adds up the cells that meet conditions. */
export async function countReached(db: Reader, filter: ReachFilter): Promise<number> {
  const { countries, states, years_min, education_levels, clearances } = filter;
  const { members } = await db.one(sql<{ members: number }>`
    select coalesce(sum(members), 0)::bigint as members from reach_cells
    where (${countries}::text[] is null or location_country = any(${countries}::text[]))
      and (${states}::text[] is null or location_state = any(${states}::text[]))
      and years_experience >= ${years_min} and education_level = any(${education_levels}::text[])
      and clearance_held = any(${clearances}::text[])`);
  return members;
}
