import { emptySql, sql, type Reader } from '#platform/database/database.ts';
import type { MatchQuality } from '../engine/tiers.ts';

/** How far a match has come: the organisation's interest, the member's acceptance, and a placement. */
export type MatchOutcome = {
  readonly id: string;
  readonly job_id: string;
  readonly member_id: string;
  readonly match_quality: MatchQuality;
  readonly stage: 'matched' | 'org_interested' | 'member_accepted' | 'placed';
};

/** The position of a match among those of several jobs. */
export type OutcomePlace = readonly [job_id: string, id: string];

/**
 * Lists how far the matches of jobs have come that were made in a period, by job and id. A match that has ended counts as far as is known: one
 * that was withdrawn after the acceptance counts as one in which the organisation was interested.
 */
export function listOutcomes(
  db: Reader,
  job_ids: readonly string[],
  { from, until }: { readonly from: Date; readonly until: Date },
  { after, limit }: { readonly after: OutcomePlace | undefined; readonly limit: number },
): Promise<MatchOutcome[]> {
  const next = after ? sql`and (matches.job_id, id) > (${after[0]}::uuid, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<MatchOutcome>`
    select id, matches.job_id, member_id, match_quality,
      case
        when match_status = 'placed' then 'placed'
        when match_status in ('member_accepted', 'closed') or expired_from = 'member_accepted' then 'member_accepted'
        when match_status in ('org_interested', 'member_declined') or expired_from = 'org_interested'
          or (match_status = 'withdrawn' and match_contacts.match_id is not null) then 'org_interested'
        else 'matched'
      end as stage
    from matches left join match_contacts on match_contacts.job_id = matches.job_id and match_contacts.match_id = id
    where matches.job_id = any(${job_ids}::uuid[]) and created_at >= ${from} and created_at < ${until} ${next}
    order by matches.job_id, id limit ${limit}`);
}
