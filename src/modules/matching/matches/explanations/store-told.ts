import { detailedVersions } from '#modules/people/consent';
import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';
import type { ToldPerson } from './told-people.ts';

/** An organisation, and the registrable domains by which it belongs to the same owner as others. */
export type TellingOwner = { readonly org_id: string; readonly domains: readonly string[] };

/** Lists what organisations of the same owner were told about these members: at most one row for each of them. */
export function listTold(
  db: Reader,
  member_ids: readonly string[],
  { org_id, domains }: TellingOwner,
): Promise<ToldPerson[]> {
  return db.list(sql<ToldPerson>`
    select member_id, org_id, job_id, version, told_at from told_standings
    where member_id = any(${member_ids}::uuid[]) and (org_id = ${org_id} or domains && ${domains}::text[])`);
}

/** Serialises what the organisations of an owner are told until the transaction ends. */
export async function lockTelling(tx: Transaction, { org_id, domains }: TellingOwner): Promise<void> {
  for (const name of domains.length > 0 ? domains.toSorted() : [org_id])
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`matching.standings:${name}`}, 0))`);
}

/** A match about whose member an organisation can be told, in the order of the lists. */
export type TellableMatch = Pick<Match, 'member_id' | 'match_quality'>;

/** Lists the matches of a version of a job that wait for the organisation or the member, best tier first and then by id, which is random. */
export function listTellableMatches(
  db: Reader,
  { job_id, version }: Pick<Match, 'job_id' | 'version'>,
): Promise<TellableMatch[]> {
  return db.list(sql<TellableMatch>`
    select member_id, match_quality from matches
    where job_id = ${job_id} and version = ${version} and match_status in ('pending_review', 'org_interested')
    order by match_quality, id`);
}

/** Lists those of some members who allow that organisations read about them in detail. */
export async function listDescribable(db: Reader, member_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.list(sql<{ member_id: string }>`
    select member_id from granted_consents
    where member_id = any(${member_ids}::uuid[]) and consent_type = 'matching' and version = any(${detailedVersions}::text[])`);
  return new Set(rows.map(({ member_id }) => member_id));
}

/** Records that an organisation is told about members in a version of a job, instead of what it was told before. */
export async function upsertTold(
  tx: Transaction,
  { org_id, domains }: TellingOwner,
  {
    job_id,
    version,
    now,
    member_ids,
  }: Pick<Match, 'job_id' | 'version'> & { readonly now: Date; readonly member_ids: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    insert into told_standings (member_id, org_id, domains, job_id, version, told_at)
    select id, ${org_id}::uuid, ${domains}::text[], ${job_id}::uuid, ${version}::integer, ${now}::timestamptz
    from deployed_members where id = any(${member_ids}::uuid[])
    on conflict (member_id, org_id) do update set
      domains = excluded.domains, job_id = excluded.job_id, version = excluded.version, told_at = excluded.told_at`);
}

/** Lists which organisations were told about a member, and when. */
export function listTellings(db: Reader, member_id: string) {
  return db.list(sql<{ org_name: string | null; told_at: Date }>`
    select organisation_names.name as org_name, told_at
    from told_standings left join organisation_names on organisation_names.id = org_id
    where member_id = ${member_id} order by told_at, org_id`);
}

/** Deletes what organisations were told about a member. */
export async function deleteTellings(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from told_standings where member_id = ${member_id}`);
}
