import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';
import type { Disclosure } from './disclosures.ts';

/** An organisation, and the registrable domains by which it belongs to the same owner as others. */
export type DisclosureOwner = { readonly org_id: string; readonly domains: readonly string[] };

/** Lists which organisations of an owner read about these members in detail: at most one row for each organisation and member. */
export function listDisclosures(
  db: Reader,
  member_ids: readonly string[],
  { org_id, domains }: DisclosureOwner,
): Promise<Disclosure[]> {
  return db.list(sql<Disclosure>`
    select member_id, org_id, job_id, version, disclosed_at from disclosed_standings
    where member_id = any(${member_ids}::uuid[]) and (org_id = ${org_id} or domains && ${domains}::text[])`);
}

/** Serialises the disclosures to organisations of an owner until the transaction ends. */
export async function lockDisclosures(tx: Transaction, { org_id, domains }: DisclosureOwner): Promise<void> {
  for (const name of domains.length > 0 ? domains.toSorted() : [org_id])
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`matching.standings:${name}`}, 0))`);
}

/** A match whose member can be described in detail, in the order of the lists. */
export type DisclosableMatch = Pick<Match, 'member_id' | 'match_quality'>;

/** Lists the matches of a version of a job that wait for the organisation or the member, best tier first and then by id, which is random. */
export function listDisclosableMatches(
  db: Reader,
  { job_id, version }: Pick<Match, 'job_id' | 'version'>,
): Promise<DisclosableMatch[]> {
  return db.list(sql<DisclosableMatch>`
    select member_id, match_quality from matches
    where job_id = ${job_id} and version = ${version} and match_status in ('pending_review', 'org_interested')
    order by match_quality, id`);
}

/** Lists those of some members whose consent to matching has one of these versions. */
export async function listDescribable(
  db: Reader,
  member_ids: readonly string[],
  consent_versions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.list(sql<{ member_id: string }>`
    select member_id from granted_consents
    where member_id = any(${member_ids}::uuid[]) and consent_type = 'matching' and version = any(${consent_versions}::text[])`);
  return new Set(rows.map(({ member_id }) => member_id));
}

/** Records that an organisation reads about members in a version of a job, instead of an earlier disclosure. */
export async function upsertDisclosures(
  tx: Transaction,
  { org_id, domains }: DisclosureOwner,
  {
    job_id,
    version,
    now,
    member_ids,
  }: Pick<Match, 'job_id' | 'version'> & { readonly now: Date; readonly member_ids: readonly string[] },
): Promise<void> {
  await tx.run(sql`
    insert into disclosed_standings (member_id, org_id, domains, job_id, version, disclosed_at)
    select id, ${org_id}::uuid, ${domains}::text[], ${job_id}::uuid, ${version}::integer, ${now}::timestamptz
    from deployed_members where id = any(${member_ids}::uuid[])
    on conflict (member_id, org_id) do update set
      domains = excluded.domains, job_id = excluded.job_id, version = excluded.version, disclosed_at = excluded.disclosed_at`);
}

/** Lists which organisations read about a member in detail, and since when. */
export function listMemberDisclosures(db: Reader, member_id: string) {
  return db.list(sql<{ org_name: string | null; disclosed_at: Date }>`
    select organisation_names.name as org_name, disclosed_at
    from disclosed_standings left join organisation_names on organisation_names.id = org_id
    where member_id = ${member_id} order by disclosed_at, org_id`);
}

/** Deletes which organisations read about a member in detail. */
export async function deleteDisclosures(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from disclosed_standings where member_id = ${member_id}`);
}
