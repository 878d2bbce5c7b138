import { Refusal } from '#lib/refusal.ts';

/** The labels of a match that people see instead of a score, best first. */
export const matchQualities = ['exceptional', 'strong', 'moderate', 'developing'] as const;

export type MatchQuality = (typeof matchQualities)[number];

/** How sure the label is. */
export const confidenceLevels = ['high', 'medium', 'low'] as const;

export type ConfidenceLevel = (typeof confidenceLevels)[number];

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
const ways: Readonly<
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
  return Object.values(ways).some(({ from }) => from.includes(status));
}

/**
 * Decides whether a match moves: false where it stands there already by the same hand, so that a request sent twice is answered twice.
 *
 * @throws Refusal `match_status_conflict` where there is no such way.
 */
export function moves(from: MatchStatus, to: MatchStatus, by: Mover): boolean {
  const way = to === 'pending_review' ? undefined : ways[to];
  if (way?.by === by && from === to) return false;
  if (way?.by === by && way.from.includes(from)) return true;
  throw new Refusal('match_status_conflict', { detail: `The match is ${from}, and cannot become ${to}.` });
}

/** What webhooks tell of a move. */
export const newsOfMoves: Readonly<Partial<Record<MatchStatus, `match.${string}`>>> = {
  org_interested: 'match.proposed',
  member_accepted: 'match.accepted',
  member_declined: 'match.declined',
};

/** The fit that each tier asks for, in standard deviations of fit in the population, best first. */
const tierCuts = [
  ['exceptional', 1.5],
  ['strong', 1.0],
  ['moderate', 0.3],
] as const satisfies readonly (readonly [MatchQuality, number])[];

/** How probable it has to be that the true fit reaches a tier's cut. */
export const tierCertainty = 0.8;

/** The standard normal quantile of {@link tierCertainty}. */
const certaintyQuantile = 0.8416212335729143;

/**
 * The fit that a member reaches with 80 % probability: mean - 0.8416 sd, for a normal posterior. The tiers are cuts on this one
 * number, as P(z >= c) >= 0.8 says the same as mean - 0.8416 sd >= c; an order by it never puts a lower tier first.
 */
export function lowerBound(mean: number, sd: number): number {
  return mean - certaintyQuantile * sd;
}

/**
 * The highest tier that the fit reaches with 80 % probability, `developing` below all. Asking for probability instead of a mean above
 * the cut lowers the share of undeserved labels about threefold (simulated at a cut of 1: 25.8 % to 9.4 % at sd 0.5).
 */
export function tierOf(mean: number, sd: number): MatchQuality {
  const bound = lowerBound(mean, sd);
  return tierCuts.find(([, cut]) => bound >= cut)?.[0] ?? 'developing';
}

/** How sure a fit is, by its posterior standard deviation. */
export function confidenceOf(sd: number): ConfidenceLevel {
  if (sd <= 0.35) return 'high';
  return sd <= 0.5 ? 'medium' : 'low';
}
