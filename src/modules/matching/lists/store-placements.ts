import { sql, type Reader } from '#platform/database/database.ts';

const placements_max = 100;

/** A job in which a member was placed. */
export type Placement = { readonly job_title: string; readonly organisation_name: string };

/** Lists the jobs in which the member was placed, the newest first; at most 100. */
export function listPlacements(db: Reader, member_id: string): Promise<Placement[]> {
  return db.list(sql<Placement>`
    select job_outlines.title as job_title, organisation_names.name as organisation_name
    from member_matches join job_outlines on job_outlines.id = job_id join organisation_names on organisation_names.id = org_id
    where member_id = ${member_id} and match_status = 'placed'
    order by created_at desc, match_id limit ${placements_max}`);
}
