import { Type, type Static } from 'typebox';
import { claimsWire, expiry_days_max, organisationClaimsWire } from '#modules/credentials/credentials';
import { metadataFields, referenceText } from '#modules/matching/jobs';
import { closedObject, field, nullable, text, timestamp, toReply, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { attestedTypes, computeOfferStatus, offeredTypes, offerStatuses, type Offer } from './rules.ts';

export const offerId = field(uuid, 'The id of the offer.', '0d4e8c1a-6b2f-4f37-9c85-7a1e3b5d9f20');

export const offerStatus = field(
  Type.Enum(offerStatuses),
  'Where the offer is: `waiting` until it opens, `open` until it is answered or expires, then how it has ended. `revoked`: its credential was.',
  'open',
);

export const expiryDays = field(
  Type.Integer({ minimum: 1, maximum: expiry_days_max }),
  'For how many days the credential is valid, from its acceptance.',
  365,
);

const sampleClaims = {
  organisation_name: 'River Murray Trust',
  organisation_domain: 'rivermurraytrust.example',
  job_title: 'Water quality analyst',
  placed_on: '2026-03-16',
};

const fields = {
  id: offerId,
  credential_type: Type.Enum(offeredTypes, { examples: ['placement_attestation'] }),
  attestation_tier: Type.Enum(['platform_verified', 'org_validated'], { examples: ['org_validated'] }),
  claims: { ...claimsWire, examples: [sampleClaims] },
  expiry_days: expiryDays,
  status: offerStatus,
  opens_at: field(timestamp, 'From when the member can accept it.', '2026-03-30T09:00:00.000Z'),
  closes_at: field(timestamp, 'Until when the member can accept it.', '2026-06-28T09:00:00.000Z'),
  ended_at: field(nullable(timestamp), 'When it ended; null while it can be accepted.', null),
  reason: field(nullable(Type.String()), 'Why it ended, if somebody has said so.', null),
  credential_id: field(
    nullable(uuid),
    'The credential that came of it; null if the member has not accepted.',
    null,
  ),
  created_at: timestamp,
};

/** An offer, as its member reads it. */
export const offerWire = closedObject(fields, { $id: 'OfferedCredential' });

/** An offer, as the organisation that vouches reads it. */
export const attestationWire = closedObject(
  {
    ...fields,
    credential_type: field(Type.Enum(attestedTypes), 'What is attested.', 'placement_attestation'),
    attestation_tier: Type.Enum(['org_validated']),
    claims: { ...organisationClaimsWire, examples: [sampleClaims] },
    member_id: field(uuid, 'The member, as both know each other since they agreed.', sampleIds.member),
    match_id: field(nullable(uuid), 'The match by which both know each other.', sampleIds.match),
    external_ref: nullable(referenceText),
    metadata: metadataFields,
  },
  { $id: 'Attestation' },
);

export function toOfferWire(offer: Offer, now: Date): Static<typeof offerWire> {
  return toReply(offerWire, { ...offer, status: computeOfferStatus(offer, now) });
}

/** An offer of an organisation has no other type and tier. */
export function toAttestationWire(offer: Offer, now: Date): Static<typeof attestationWire> {
  const status = computeOfferStatus(offer, now);
  const credential_type =
    offer.credential_type === 'placement_attestation' ? offer.credential_type : 'org_validation';
  return toReply(attestationWire, { ...offer, credential_type, attestation_tier: 'org_validated', status });
}

export const reasonText = text(500);
