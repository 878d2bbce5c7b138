import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import {
  attestClaims,
  checkSubject,
  computeExpiry,
  issueCredentials,
  takePlaces,
  type Claims,
} from '#modules/credentials/credentials';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkDomainHolder, isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { decideAnswer, decisions, type Offer } from '../rules.ts';
import { endStoredOffer, lockOffer } from '../store.ts';
import { offerId, offerWire, reasonText, toOfferWire } from '../wire.ts';

export const answerOffer = operation({
  name: 'offers.answerOffer',
  title: 'Answer an offer of a credential',
  summary:
    'Accepts an offer, which issues the credential, or declines it. What an organisation says can be disputed instead, also while the offer waits: it is then offered only after the organisation has corrected it. Repeating an answer changes nothing.',
  who: ['member'],
  input: Type.Object({
    offer_id: offerId,
    decision: field(Type.Enum(decisions), 'The answer.', 'accept'),
    reason: Type.Optional(
      field(
        reasonText,
        'What is wrong, for the organisation; only with the decision dispute.',
        'I began in May.',
      ),
    ),
  }),
  output: { 200: offerWire },
  refuses: [
    'account_pending_deletion',
    'claim_not_verified',
    'consent_required',
    'credential_offer_closed',
    'credential_offer_not_found',
    'credentials_full',
    'email_not_verified',
    'member_not_found',
  ],
  tools: [
    {
      name: 'answer_credential_offer',
      title: 'Answer an offer of a credential',
      kind: 'write',
      roles: ['member'],
      consent: 'Accept or decline credentials that are offered to you',
      isDestructive: true,
      isIdempotent: true,
      description:
        'Accepts, declines or disputes a credential that was offered to the person. Accepting issues it. Ask the person first, and read them the claims. offer_id is from list_credential_offers.',
    },
  ],
  checks: [
    ({ decision, reason }) => {
      if (reason !== undefined && decision !== 'dispute')
        throw createFieldRefusal('field_invalid', '/reason', 'must only be given with the decision dispute');
    },
  ],
  run: async (context, { offer_id, decision, reason = null }) => {
    const places = decision === 'accept' ? await takePlaces(context, 1) : [];
    return context.transaction(async (tx) => {
      const { member_id } = context.caller;
      const now = context.now();
      // The lock of the member comes first, as everywhere.
      if (decision === 'accept') await checkSubject(tx, member_id, now);
      const offer = await lockOffer(tx, { id: offer_id, member_id });
      if (!offer) throw new Refusal('credential_offer_not_found');
      const state = decideAnswer(offer, decision, now);
      if (state === undefined) return toOfferWire(offer, now);
      const credential_id = state === 'accepted' ? await issueOffered(context, tx, offer, places) : null;
      const end = { state, ended_at: now, reason, credential_id };
      await endStoredOffer(tx, offer, end);
      await recordCallerAudit(context, tx, {
        ...acts[state],
        member_id,
        org_id: offer.org_id,
        detail: { offer_id, credential_type: offer.credential_type, ...(credential_id && { credential_id }) },
      });
      return toOfferWire({ ...offer, ...end }, now);
    });
  },
});

/** The words of the console are tested by the literal acts. */
const acts = {
  accepted: { action: 'offers.accepted' },
  declined: { action: 'offers.declined' },
  disputed: { action: 'offers.disputed' },
} as const;

/** Issues what was offered, if it is still true and its organisation still holds its domain. @returns the id of the credential. */
async function issueOffered(
  context: Context<'member'>,
  tx: Transaction,
  offer: Offer,
  places: Parameters<typeof issueCredentials>[3],
): Promise<string> {
  const { member_id, credential_type, attestation_tier, expiry_days } = offer;
  const claims = offer.org_id === null ? await verifyAgain(tx, offer) : offer.claims;
  if (offer.org_id !== null) await checkVoucher(context, tx, offer.org_id, claims);
  const expires_at = computeExpiry(context.now(), expiry_days);
  const draft = { member_id, credential_type, attestation_tier, claims, expires_at };
  const [credential] = await issueCredentials(context, tx, [draft], places);
  return credential!.id;
}

/** The certainty is not a claim that a request makes: the service adds it as it is now. */
function verifyAgain(
  tx: Transaction,
  { member_id, credential_type, attestation_tier, claims }: Offer,
): Promise<Claims> {
  const { archetype_certainty: _, ...requested } = claims;
  return attestClaims(tx, member_id, { credential_type, attestation_tier, claims: requested });
}

/** The organisation must hold the domain that the credential names, until the transaction ends. */
async function checkVoucher(
  context: Context<'member'>,
  tx: Transaction,
  org_id: string,
  { organisation_domain = '' }: Claims,
): Promise<void> {
  const holding = await checkDomainHolder(context, tx, { org_id, domain: organisation_domain });
  if (holding === 'none' || (await isSuspendedOrganisation(tx, org_id)))
    throw new Refusal('credential_offer_closed', {
      detail: 'The organisation is suspended, or has lost the domain by which the offer names it.',
    });
}
