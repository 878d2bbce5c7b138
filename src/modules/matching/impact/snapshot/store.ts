import type { IdentityAttribute } from '#modules/people/self-identification';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Look, Snapshot, StatedMember } from './rules.ts';

/** A member, with the id after which the next page begins. */
export type ListedMember = Omit<StatedMember, 'was_counted'> & { readonly member_id: string };

/**
 * Lists members who have said something about themselves, with their latest results and ids greater than `after`, in order of id. Ids are random, so the first members are a
 * random sample.
 */
export function listStatedMembers(db: Reader, after: string, limit: number): Promise<ListedMember[]> {
  return db.list(sql<ListedMember>`
    select member.member_id, gender, age_band, ethnicity, disability, to_json(mean) as mean, to_json(variance) as variance,
      encode(substring(sha256(uuid_send(member.member_id)) for 8), 'hex') as mark
    from stated_identities as member
      join granted_consents
        on granted_consents.member_id = member.member_id and granted_consents.consent_type = 'demographic_self_identification'
      cross join lateral (
        select mean, variance from latent_vectors where latent_vectors.member_id = member.member_id
        order by version desc limit 1) as result
    where member.member_id > ${after} and member.member_id in (select deployed_members.id from deployed_members)
    order by member.member_id limit ${limit}`);
}

/** A member who has said nothing about themselves. */
type UnstatedMember = Omit<ListedMember, IdentityAttribute>;

/** Lists the other members: those of whom nothing is stated, or no longer used. */
export function listUnstatedMembers(db: Reader, after: string, limit: number): Promise<UnstatedMember[]> {
  return db.list(sql<UnstatedMember>`
    select member.id as member_id, to_json(mean) as mean, to_json(variance) as variance,
      encode(substring(sha256(uuid_send(member.id)) for 8), 'hex') as mark
    from deployed_members as member
      cross join lateral (
        select mean, variance from latent_vectors where latent_vectors.member_id = member.id
        order by version desc limit 1) as result
    where member.id > ${after} and not exists (
      select stated_identities.member_id from stated_identities join granted_consents
        on granted_consents.member_id = stated_identities.member_id and granted_consents.consent_type = 'demographic_self_identification'
      where stated_identities.member_id = member.id)
    order by member.id limit ${limit}`);
}

/** Adds whether each of the members was counted before. */
export async function addCounted<Member extends { readonly mark: string }>(
  db: Reader,
  members: readonly Member[],
): Promise<readonly (Member & { readonly was_counted: boolean })[]> {
  const counted = await db.list(sql<{ mark: string }>`
    select encode(mark, 'hex') as mark from impact_counted
    where mark in (select decode(asked, 'hex') from unnest(${members.map(({ mark }) => mark)}::text[]) as asked)`);
  const marks = new Set(counted.map(({ mark }) => mark));
  return members.map((member) => ({ ...member, was_counted: marks.has(member.mark) }));
}

/** Finds the last look at the members. */
export function findLook(db: Reader): Promise<Look | undefined> {
  return db.find(sql<Look>`select looked_at, waiting, groups from impact_looks`);
}

/** Finds what was measured; nothing at first. */
export async function findSnapshot(db: Reader): Promise<Snapshot> {
  return (await findLook(db))?.groups ?? {};
}

/** Stores a look and who was counted, unless another process has replaced the one of `before` meanwhile. */
export async function replaceLook(
  tx: Transaction,
  { looked_at, waiting, groups }: Look,
  { before, marks }: { readonly before: Date | undefined; readonly marks: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    with stored as (
      insert into impact_looks as seen (looked_at, waiting, groups) values (${looked_at}, ${waiting}, ${JSON.stringify(groups)})
      on conflict (only_one) do update set looked_at = excluded.looked_at, waiting = excluded.waiting, groups = excluded.groups
      where seen.looked_at = ${before ?? null}::timestamptz
      returning only_one)
    insert into impact_counted (mark)
    select decode(mark, 'hex') from unnest(${marks}::text[]) as mark, stored
    on conflict do nothing`);
}
