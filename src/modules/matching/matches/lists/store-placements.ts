import { sql, type Reader } from '#platform/database/database.ts';

const placements_max = 100;

export type Placement = { readonly job_title: string; readonly organisation_name: string };

/** Lists the jobs in which the member was placed, the newest first; at most 100. */
export function listPlacements(db: Reader, member_id: string): Promise<Placement[]> {
  return db.list(sql<Placement>`
    select job_outlines.title as job_title, organisation_names.name as organisation_name
    from member_matches join job_outlines on job_outlines.id = job_id join organisation_names on organisation_names.id = org_id
    where member_id = ${member_id} and match_status = 'placed'
    order by created_at desc, match_id limit ${placements_max}`);
}

const shared_matches_max = 1_000;

/** A match in which both sides know each other. */
export type SharedMatch = { readonly match_id: string; readonly org_id: string };

/** Lists the accepted and placed matches of a member, at most 1,000. */
export function listSharedMatches(db: Reader, member_id: string): Promise<SharedMatch[]> {
  return db.list(sql<SharedMatch>`
    select match_id, org_id from member_matches join job_outlines on job_outlines.id = job_id
    where member_id = ${member_id} and match_status in ('member_accepted', 'placed')
    order by match_id limit ${shared_matches_max}`);
}
