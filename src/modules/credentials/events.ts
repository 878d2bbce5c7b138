import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { attestationTiers, credentialTypes } from './rules.ts';

/** What an event says about a credential: never its claims. `member_id` selects the listeners, and the event when the member is erased. */
const data = Type.Object(
  {
    credential_id: uuid,
    member_id: uuid,
    credential_type: Type.Enum(credentialTypes),
    attestation_tier: Type.Enum(attestationTiers),
    status: Type.Enum(['active', 'revoked']),
    issued_at: timestamp,
    expires_at: timestamp,
    revoked_at: nullable(timestamp),
  },
  { additionalProperties: false },
);

/** A credential was issued. */
export const attestationIssued = event('attestation.issued', data);

/** A credential was revoked. */
export const attestationRevoked = event('attestation.revoked', data);
