import { computeNameSkeleton } from '#lib/text/look-alikes.ts';
import { sql, type Reader } from '#platform/database/database.ts';

/** Another organisation whose name reads like a given one, with a domain that it claims. */
export type Namesake = { readonly name: string; readonly domain: string; readonly is_proven: boolean };

const namesakes_max = 100;

/** Lists the other organisations whose names read like this one, with the domains that they claim, proven ones first. */
export function listNamesakes(
  db: Reader,
  { org_id, name }: { readonly org_id: string; readonly name: string },
): Promise<readonly Namesake[]> {
  return db.list(sql<Namesake>`
    select name, domain, verified_at is not null as is_proven
    from organisations join organisation_domains on org_id = organisations.id
    where name_skeleton = ${computeNameSkeleton(name)} and name_skeleton <> '' and organisations.id <> ${org_id}
    order by verified_at, org_id, domain limit ${namesakes_max}`);
}
