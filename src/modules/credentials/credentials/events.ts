import { Type, type Static } from 'typebox';
import { sentEvent } from '#platform/queue/event.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { attestationTiers, credentialTypes } from './rules.ts';

/** What organisations may learn of a credential; never its claims. */
const facts = {
  credential_id: field(uuid, 'The credential.', sampleIds.credential),
  credential_type: field(Type.Enum(credentialTypes), 'What the credential attests.', 'trait_attestation'),
  attestation_tier: field(Type.Enum(attestationTiers), 'Who attests it.', 'self_attested'),
  status: field(Type.Enum(['active', 'revoked']), 'The status after the event.', 'active'),
  issued_at: field(timestamp, 'When the credential was issued.', '2026-03-02T09:00:00.000Z'),
  expires_at: field(timestamp, 'When the credential expires.', '2027-03-02T09:00:00.000Z'),
  revoked_at: field(nullable(timestamp), 'When the credential was revoked; null if it is active.', null),
};

/** `member_id` selects the listeners, and finds the events of an erased member. It is not sent. */
const data = closedObject({ ...facts, member_id: uuid });

const match_ids = field(
  Type.Array(uuid),
  'The accepted and placed matches of your organisation with the member who holds it.',
  [sampleIds.match],
);
const { credential_id, credential_type, attestation_tier, ...times } = facts;
const schema = closedObject({ credential_id, credential_type, attestation_tier, match_ids, ...times });

function buildSent(
  { credential_id, credential_type, attestation_tier, ...dated }: Static<typeof data>,
  matches: readonly string[],
): Static<typeof schema> {
  const { status, issued_at, expires_at, revoked_at } = dated;
  const match_ids = [...matches];
  return {
    credential_id,
    credential_type,
    attestation_tier,
    match_ids,
    status,
    issued_at,
    expires_at,
    revoked_at,
  };
}

/** A credential was issued. */
export const attestationIssued = sentEvent('attestation.issued', data, {
  title: 'A credential was issued',
  meaning:
    'A credential was issued to a member with whom your organisation has an accepted or placed match, and who shares credentials. Claims are never sent.',
  schema,
  build: buildSent,
});

/** A credential was revoked. */
export const attestationRevoked = sentEvent('attestation.revoked', data, {
  title: 'A credential was revoked',
  meaning:
    'A credential was revoked whose member has an accepted or placed match with your organisation and shares credentials.',
  schema,
  build: buildSent,
});
