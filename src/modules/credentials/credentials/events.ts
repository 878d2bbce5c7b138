import { Type } from 'typebox';
import { event } from '#platform/queue/event.ts';
import { closedObject, nullable, timestamp, uuid } from '#platform/schema.ts';
import { attestationTiers, credentialTypes } from './rules.ts';

/** The payload of both events; it never contains claims. `member_id` selects the listeners, and finds the events of an erased member. */
const data = closedObject({
  credential_id: uuid,
  member_id: uuid,
  credential_type: Type.Enum(credentialTypes),
  attestation_tier: Type.Enum(attestationTiers),
  status: Type.Enum(['active', 'revoked']),
  issued_at: timestamp,
  expires_at: timestamp,
  revoked_at: nullable(timestamp),
});

/** A credential was issued. */
export const attestationIssued = event('attestation.issued', data);

/** A credential was revoked. */
export const attestationRevoked = event('attestation.revoked', data);
