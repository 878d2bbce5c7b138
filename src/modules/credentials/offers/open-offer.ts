import { findShownDomain, findShownName, isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { offerOpened } from './events.ts';
import { computeClosing, type Offer } from './rules.ts';
import { endStoredOffer, insertOffer, openStoredOffer, type OfferEnd } from './store.ts';

type OpeningServices = Pick<Services, 'config' | 'now' | 'queue'>;

/** How an organisation is named in what it vouches for: by its name, and a domain that it has proven. */
export type Voucher = { readonly organisation_name: string; readonly organisation_domain: string };

/** Finds how an organisation vouches; undefined if it has proven no domain, is suspended or does not exist. */
export async function findVoucher(
  services: Pick<Services, 'config'>,
  db: Reader,
  org_id: string,
): Promise<Voucher | undefined> {
  const organisation_domain = await findShownDomain(services, db, org_id);
  const organisation_name = await findShownName(db, org_id);
  if (organisation_domain === null || organisation_name === undefined) return undefined;
  return (await isSuspendedOrganisation(db, org_id)) ? undefined : { organisation_name, organisation_domain };
}

/** The content of a new offer. */
export type OfferDraft = Pick<
  Offer,
  | 'id'
  | 'member_id'
  | 'org_id'
  | 'match_id'
  | 'credential_type'
  | 'attestation_tier'
  | 'about'
  | 'claims'
  | 'expiry_days'
  | 'opens_at'
> &
  Partial<Pick<Offer, 'external_ref' | 'metadata'>>;

/**
 * Makes an offer, which waits until it opens.
 *
 * @returns undefined if the same is offered already and can still be accepted.
 */
export async function makeOffer(
  { now }: Pick<Services, 'now'>,
  tx: Transaction,
  draft: OfferDraft,
): Promise<Offer | undefined> {
  const closes_at = computeClosing(draft.opens_at);
  const offer: Offer = {
    external_ref: null,
    metadata: {},
    ...draft,
    closes_at,
    state: 'waiting',
    created_at: now(),
    ended_at: null,
    reason: null,
    credential_id: null,
  };
  return (await insertOffer(tx, offer)) ? offer : undefined;
}

/**
 * Opens a waiting offer, which the transaction has locked or made: the member can accept it from now on, and gets an email. An offer of an organisation
 * that has no proven domain is withdrawn instead.
 */
export async function openOffer(services: OpeningServices, tx: Transaction, offer: Offer): Promise<Offer> {
  const now = services.now();
  const voucher = offer.org_id === null ? {} : await findVoucher(services, tx, offer.org_id);
  if (!voucher) return endOffer(services, tx, offer, { state: 'withdrawn', reason: unproven_reason });
  const opened = {
    ...offer,
    state: 'open',
    claims: { ...offer.claims, ...voucher },
    closes_at: computeClosing(now),
  } as const;
  await openStoredOffer(tx, opened);
  await services.queue.emit(tx, offerOpened, { member_id: offer.member_id, at: now.toISOString() });
  return opened;
}

const unproven_reason = 'The organisation has proven no domain, or is suspended.';

/** Ends an offer, which the transaction has locked. */
export async function endOffer(
  { now }: Pick<Services, 'now'>,
  tx: Transaction,
  offer: Offer,
  { state, reason = null }: Pick<OfferEnd, 'state'> & Partial<Pick<OfferEnd, 'reason'>>,
): Promise<Offer> {
  const end = { state, reason, ended_at: now(), credential_id: offer.credential_id };
  await endStoredOffer(tx, offer, end);
  return { ...offer, ...end };
}
