import { Refusal } from '#lib/refusal.ts';

/** The statuses of a match. The first three are open; the others are final, except that the organisation can take back `org_passed`. */
export const matchStatuses = [
  'pending_review',
  'org_interested',
  'member_accepted',
  'org_passed',
  'member_declined',
  'placed',
  'closed',
  'expired',
  'withdrawn',
] as const;

export type MatchStatus = (typeof matchStatuses)[number];

/** Who moves a match: its organisation, its member, or the service when a job is closed or a member withdraws. */
export type Mover = 'organisation' | 'member' | 'service';

/** All possible moves: for each status, who may set it and from which statuses. The first takes a decision of the organisation back. */
const transitions: Readonly<
  Record<MatchStatus, { readonly by: Mover; readonly from: readonly MatchStatus[] }>
> = {
  pending_review: { by: 'organisation', from: ['org_interested', 'org_passed'] },
  org_interested: { by: 'organisation', from: ['pending_review'] },
  org_passed: { by: 'organisation', from: ['pending_review', 'org_interested'] },
  member_accepted: { by: 'member', from: ['org_interested'] },
  member_declined: { by: 'member', from: ['org_interested'] },
  placed: { by: 'organisation', from: ['member_accepted'] },
  closed: { by: 'organisation', from: ['member_accepted'] },
  expired: { by: 'service', from: ['pending_review', 'org_interested', 'member_accepted'] },
  withdrawn: { by: 'service', from: ['pending_review', 'org_interested', 'member_accepted'] },
};

const openStatuses: ReadonlySet<MatchStatus> = new Set([
  'pending_review',
  'org_interested',
  'member_accepted',
]);

/** Says whether both sides can still come together by a match in this status. */
export function isOpen(status: MatchStatus): boolean {
  return openStatuses.has(status);
}

/** How often an organisation can ask the same member about the same job: each time the member is informed. */
export const proposals_max = 3;

/**
 * Decides whether a match moves. False if it already has the status and the same party may set it, so that a repeated request succeeds.
 *
 * @throws Refusal `match_status_conflict` if the move is not possible.
 */
export function decideMove(from: MatchStatus, to: MatchStatus, by: Mover): boolean {
  const transition = transitions[to];
  if (transition.by === by && from === to) return false;
  if (transition.by === by && transition.from.includes(from)) return true;
  throw new Refusal('match_status_conflict', {
    detail: `A match with the status ${from} cannot change to ${to}.`,
  });
}
