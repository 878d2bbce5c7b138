import { Refusal } from '#lib/refusal.ts';

/** The states of a match: the first three are open, and move on; the others are ends. */
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

/** Who moves a match: its organisation, its member, or the service when a job closes or a member leaves. */
export type Mover = 'organisation' | 'member' | 'service';

/** Every way there is: where a match can go, by whose hand, and from where. */
const transitions: Readonly<
  Record<
    Exclude<MatchStatus, 'pending_review'>,
    { readonly by: Mover; readonly from: readonly MatchStatus[] }
  >
> = {
  org_interested: { by: 'organisation', from: ['pending_review'] },
  org_passed: { by: 'organisation', from: ['pending_review'] },
  member_accepted: { by: 'member', from: ['org_interested'] },
  member_declined: { by: 'member', from: ['org_interested'] },
  placed: { by: 'organisation', from: ['member_accepted'] },
  closed: { by: 'organisation', from: ['member_accepted'] },
  expired: { by: 'service', from: ['pending_review', 'org_interested', 'member_accepted'] },
  withdrawn: { by: 'service', from: ['pending_review', 'org_interested', 'member_accepted'] },
};

/** Whether a match in this status can still move. */
export function isOpen(status: MatchStatus): boolean {
  return Object.values(transitions).some(({ from }) => from.includes(status));
}

/**
 * Decides whether a match moves: false where it stands there already by the same hand, so that a request sent twice is answered twice.
 *
 * @throws Refusal `match_status_conflict` where there is no such way.
 */
export function decideMove(from: MatchStatus, to: MatchStatus, by: Mover): boolean {
  const transition = to === 'pending_review' ? undefined : transitions[to];
  if (transition?.by === by && from === to) return false;
  if (transition?.by === by && transition.from.includes(from)) return true;
  throw new Refusal('match_status_conflict', { detail: `The match is ${from}, and cannot become ${to}.` });
}
