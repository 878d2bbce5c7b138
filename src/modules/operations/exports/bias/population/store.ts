import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { MeasuredMember } from './examine-members.ts';
import type { CountedMembers, Population, PopulationRelease } from './rules.ts';

/** Counts the members who can be found, by what they have said about themselves. */
export function listCountedMembers(db: Reader): Promise<CountedMembers[]> {
  return db.list(sql<CountedMembers>`
    select gender, age_band, ethnicity, disability, count(*) as people
    from deployed_members left join (
      stated_identities join granted_consents
        on granted_consents.member_id = stated_identities.member_id and granted_consents.consent_type = 'demographic_self_identification'
    ) on stated_identities.member_id = deployed_members.id
    group by gender, age_band, ethnicity, disability`);
}

/**
 * Lists the answers and results of members who have said something about themselves, with ids greater than `after`, in order of id. Ids are random, so the
 * first members are a random sample.
 */
export function listMeasuredMembers(db: Reader, after: string, limit: number): Promise<MeasuredMember[]> {
  return db.list(sql<MeasuredMember>`
    select member.member_id, gender, age_band, ethnicity, disability, to_json(item_ids) as item_ids, to_json(options) as options,
      to_json(variance) as variance
    from stated_identities as member
      join granted_consents
        on granted_consents.member_id = member.member_id and granted_consents.consent_type = 'demographic_self_identification'
      cross join lateral (
        select item_ids, options from completed_answers where completed_answers.member_id = member.member_id
        order by completed_at desc limit 1) as answers
      cross join lateral (
        select variance from latent_vectors where latent_vectors.member_id = member.member_id
        order by version desc limit 1) as result
    where member.member_id > ${after} and member.member_id in (select deployed_members.id from deployed_members)
    order by member.member_id limit ${limit}`);
}

/** Finds the last count of all members. */
export function findPopulation(db: Reader): Promise<PopulationRelease | undefined> {
  return db.find(sql<PopulationRelease>`select released_at, counts from bias_populations`);
}

/** Stores a count of all members, unless another process has replaced that of `before` meanwhile. */
export async function replacePopulation(
  tx: Transaction,
  counts: Population,
  { before, now }: { readonly before: Date | undefined; readonly now: Date },
): Promise<void> {
  await tx.run(sql`
    insert into bias_populations as seen (released_at, counts) values (${now}, ${JSON.stringify(counts)})
    on conflict (only_one) do update set released_at = excluded.released_at, counts = excluded.counts
    where seen.released_at = ${before ?? null}::timestamptz`);
}
