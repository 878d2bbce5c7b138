import { computeSecondsUntil } from '#lib/wait-window.ts';
import { Refusal } from '#lib/refusal.ts';
import type { AttestationTier, Claims, CredentialType } from '#modules/credentials/credentials';
import type { Organisation } from '#modules/organisations/orgs';

/** The types of credentials that are offered, and not issued at a request alone. */
export const offeredTypes = [
  'assessment_completion',
  'archetype_attestation',
  'placement_attestation',
  'org_validation',
] as const satisfies readonly CredentialType[];

export type OfferedType = (typeof offeredTypes)[number];

/** The types for which an organisation vouches. */
export const attestedTypes = ['placement_attestation', 'org_validation'] as const;

/** What the database says of an offer. */
export type OfferState = 'waiting' | 'open' | 'accepted' | 'declined' | 'disputed' | 'withdrawn' | 'revoked';

/** The states of an offer as they are read: an open one expires by its date. */
export const offerStatuses = [
  'waiting',
  'open',
  'accepted',
  'declined',
  'disputed',
  'withdrawn',
  'revoked',
  'expired',
] as const;

export type OfferStatus = (typeof offerStatuses)[number];

/** A credential that a member may accept. */
export type Offer = {
  readonly id: string;
  readonly member_id: string;
  /** The organisation that vouches; null if the service does. */
  readonly org_id: string | null;
  readonly match_id: string | null;
  readonly credential_type: OfferedType;
  readonly attestation_tier: Exclude<AttestationTier, 'self_attested'>;
  /** Names what is attested, so that the same is not offered twice. */
  readonly about: string;
  readonly claims: Claims;
  readonly expiry_days: number;
  readonly state: OfferState;
  readonly opens_at: Date;
  readonly closes_at: Date;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly reason: string | null;
  readonly credential_id: string | null;
  /** What a program of the organisation noted. The member does not read it. */
  readonly external_ref: string | null;
  readonly metadata: Readonly<Record<string, string>>;
};

/** What a member can answer. A dispute says that the offer is wrong. */
export const decisions = ['accept', 'decline', 'dispute'] as const;

export type Decision = (typeof decisions)[number];

export function computeOfferStatus(
  { state, closes_at }: Pick<Offer, 'state' | 'closes_at'>,
  now: Date,
): OfferStatus {
  return state === 'open' && closes_at <= now ? 'expired' : state;
}

type AnsweredState = Extract<OfferState, 'accepted' | 'declined' | 'disputed'>;

/** For each decision: the state that it leads to, and the statuses from which it does. */
const answers: Readonly<
  Record<Decision, { readonly to: AnsweredState; readonly from: readonly OfferStatus[] }>
> = {
  accept: { to: 'accepted', from: ['open'] },
  decline: { to: 'declined', from: ['waiting', 'open'] },
  dispute: { to: 'disputed', from: ['waiting', 'open'] },
};

/**
 * Decides what an answer of the member leads to; undefined if the member has given it already, so that a repeated request succeeds.
 *
 * @throws Refusal `credential_offer_closed` if the offer can no longer have this answer, or not yet.
 */
export function decideAnswer(
  offer: Pick<Offer, 'state' | 'closes_at' | 'credential_type' | 'org_id'>,
  decision: Decision,
  now: Date,
): AnsweredState | undefined {
  const status = computeOfferStatus(offer, now);
  const { to, from } = answers[decision];
  if (decision === 'dispute' && offer.org_id === null)
    throw createClosedRefusal('Only what an organisation says can be disputed.');
  if (status === to) return undefined;
  if (from.includes(status)) return to;
  throw createClosedRefusal(status === 'waiting' ? 'The offer is not open yet.' : `The offer is ${status}.`);
}

/**
 * Decides what becomes of an offer that its organisation takes back: it is withdrawn before its acceptance, and its credential is revoked after it.
 * Undefined if that has happened already.
 *
 * @throws Refusal `credential_offer_closed` if the member has ended it.
 */
export function decideTakingBack({
  state,
}: Pick<Offer, 'state'>): Extract<OfferState, 'withdrawn' | 'revoked'> | undefined {
  if (state === 'withdrawn' || state === 'revoked') return undefined;
  if (state === 'accepted') return 'revoked';
  if (isLive(state)) return 'withdrawn';
  throw createClosedRefusal(`The member has ${state} it.`);
}

function createClosedRefusal(detail: string): Refusal {
  return new Refusal('credential_offer_closed', { detail });
}

/** Whether an offer in this state can still be accepted, unless it has expired. */
export function isLive(state: OfferState): boolean {
  return state === 'waiting' || state === 'open';
}

const day_ms = 86_400_000;

/** How long an offer is open. */
const open_days = 90;

export function computeClosing(opens_at: Date): Date {
  return new Date(opens_at.getTime() + open_days * day_ms);
}

/** How long either side can say that a placement is wrong, before it is offered as a credential. */
const dispute_days = 14;

/** When a placement becomes an offer: two weeks after it was recorded and has begun. */
function computePlacementOpening(placed_at: Date, now: Date): Date {
  return new Date(Math.max(placed_at.getTime(), now.getTime()) + dispute_days * day_ms);
}

/** What an organisation has recorded about a placement. */
export type PlacementFacts = {
  readonly placed_at: Date;
  /** Null while the member has not left. */
  readonly left_at: Date | null;
};

/** The days of a placement as claims. */
export function toPlacementDays({
  placed_at,
  left_at,
}: PlacementFacts): Pick<Claims, 'placed_on' | 'ended_on'> {
  return { placed_on: toDay(placed_at), ...(left_at && { ended_on: toDay(left_at) }) };
}

function toDay(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** What follows for offers when a placement was recorded or has changed. */
export type PlacementStep =
  | { readonly kind: 'nothing' }
  /** A new offer, which opens at this time; the one before it ends. */
  | { readonly kind: 'offer'; readonly opens_at: Date };

/**
 * Decides what follows from a placement, as it is recorded now, for the latest offer about it. A placement that is new, or whose beginning was corrected, waits for
 * two weeks; its end is added at once. What a member has accepted is replaced without a wait. What a member has declined stays declined, and a disputed
 * placement is offered again only with another beginning.
 */
export function decidePlacementStep(
  latest: Pick<Offer, 'state' | 'claims' | 'opens_at'> | undefined,
  facts: PlacementFacts,
  now: Date,
): PlacementStep {
  const fresh = { kind: 'offer', opens_at: computePlacementOpening(facts.placed_at, now) } as const;
  if (!latest) return fresh;
  const { placed_on, ended_on } = toPlacementDays(facts);
  const isCorrected = latest.claims.placed_on !== placed_on;
  if (!isCorrected && latest.claims.ended_on === ended_on) return { kind: 'nothing' };
  if (latest.state === 'disputed') return isCorrected ? fresh : { kind: 'nothing' };
  if (latest.state === 'waiting') return isCorrected ? fresh : { kind: 'offer', opens_at: latest.opens_at };
  return latest.state === 'open' || latest.state === 'accepted'
    ? { kind: 'offer', opens_at: now }
    : { kind: 'nothing' };
}

/** How many credentials an organisation of each tier can offer in 24 hours. */
export const offerLimits: Readonly<Record<Organisation['tier'], number>> = {
  'E1 Explorer': 25,
  'E2 Builder': 250,
  'E3 Operator': 2_500,
  partner: 10_000,
};

/**
 * Checks that further offers are within the limit of the tier.
 *
 * @param oldest When the offer was made that would be the first one beyond the limit, counted from the newest; undefined if there are fewer.
 * @throws Refusal `offer_limit_reached`, with the seconds until it no longer counts.
 */
export function checkOfferTime(tier: Organisation['tier'], oldest: Date | undefined, now: Date): void {
  const wait_s = oldest ? computeSecondsUntil(new Date(oldest.getTime() + day_ms), now) : 0;
  if (wait_s === 0) return;
  throw new Refusal('offer_limit_reached', {
    detail: `The tier ${tier} allows ${offerLimits[tier]} offers in 24 hours.`,
    headers: { 'retry-after': String(wait_s) },
  });
}
