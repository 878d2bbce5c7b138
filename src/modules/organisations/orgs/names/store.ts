import { computeNameSkeleton } from '#lib/text/look-alikes.ts';
import { sql, type Reader } from '#platform/database/database.ts';

/** Another organisation whose name reads like a given one, with a domain that it claims. */
export type Namesake = { readonly name: string; readonly domain: string; readonly is_proven: boolean };

const namesakes_max = 100;

/** Lists the other organisations whose names read like this one, or whose domain is among `domains`, with the domains that they claim, proven ones first. */
export function listNamesakes(
  db: Reader,
  {
    org_id,
    name,
    domains,
  }: { readonly org_id: string; readonly name: string; readonly domains: readonly string[] },
): Promise<readonly Namesake[]> {
  return db.list(sql<Namesake>`
    select name, domain, verified_at is not null as is_proven
    from organisations join organisation_domains on org_id = organisations.id
    where (name_skeleton = ${computeNameSkeleton(name)} and name_skeleton <> '' or domain = any(${domains}))
      and organisations.id <> ${org_id}
    order by verified_at, org_id, domain limit ${namesakes_max}`);
}

/** Lists those of some skeletons of names and of some domains that belong to organisations which have proven a domain. */
export async function listProvenTexts(
  db: Reader,
  { skeletons, domains }: { readonly skeletons: readonly string[]; readonly domains: readonly string[] },
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ text: string }>`
    select name_skeleton as text from organisations
    where name_skeleton = any(${skeletons}) and name_skeleton <> ''
      and exists (select from organisation_domains where org_id = organisations.id and verified_at is not null)
    union select domain from organisation_domains where domain = any(${domains}) and verified_at is not null`);
  return rows.map(({ text }) => text);
}

/** How others read the name of an organisation: with its domain, or that it has proven none, if a namesake has proven one. Undefined if it does not exist. */
export async function findShownName(db: Reader, org_id: string): Promise<string | undefined> {
  const row = await db.find(sql<{ name: string }>`select name from organisation_names where id = ${org_id}`);
  return row?.name;
}
