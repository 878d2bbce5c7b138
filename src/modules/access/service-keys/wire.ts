import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp, toReply, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import type { ServiceKey } from './rules.ts';

const nameInput = field(
  Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
  'What the key is for, as people recognise it.',
  'Applicant tracking system',
);

const permissionsInput = field(
  Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 200, uniqueItems: true }),
  'The rows of the API that the key may call, as method and path.',
  ['GET /orgs/me/jobs', 'POST /orgs/me/jobs'],
);

const networksInput = field(
  Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20, default: [] }),
  'The addresses and networks (CIDR) from which the key is accepted; empty for all.',
  ['203.0.113.0/24'],
);

const expiryInput = field(
  Type.Integer({ minimum: 1, maximum: 730, default: 365 }),
  'In how many days the key expires.',
  365,
);

/** What a new key is for, and how far it reaches. */
export const reachInput = {
  name: nameInput,
  permissions: permissionsInput,
  networks: networksInput,
  expiry_days: expiryInput,
};

const overlapInput = field(
  Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 }),
  'How long the current key is accepted as well, at most seven days. 0 for a key that others may know.',
  86_400,
);

/** The id of a key in the path of a row. */
export const serviceKeyId = field(uuid, 'The id of the key.', sampleIds.serviceKey);

/** Which key is replaced, and until when each of the two is accepted. */
export const replacementInput = {
  service_key_id: serviceKeyId,
  expiry_days: expiryInput,
  overlap_seconds: overlapInput,
};

const fields = {
  id: serviceKeyId,
  name: nameInput,
  permissions: permissionsInput,
  networks: field(
    Type.Array(Type.String()),
    'The addresses and networks (CIDR) from which the key is accepted; empty for all.',
    ['203.0.113.0/24'],
  ),
  kind: field(
    Type.Enum(['secret', 'public_key']),
    'Whether the program sends the key as it is, or signs assertions with its private key.',
    'secret',
  ),
  hint: field(
    Type.String(),
    'The last characters of the key; of a public key, those of its thumbprint (RFC 7638).',
    '9c4e',
  ),
  user_id: field(
    uuid,
    'The user for whom the key acts: who created or last rotated it. It ends with that account.',
    sampleIds.user,
  ),
  created_at: timestamp,
  expires_at: field(timestamp, 'When the key expires.', '2027-03-10T09:30:00.000Z'),
  last_used_at: field(
    nullable(timestamp),
    'When the key was last used, to the minute; null if never.',
    '2026-03-10T09:30:00.000Z',
  ),
  previous_until: field(
    nullable(timestamp),
    'Until when the key before the last rotation is accepted as well; null if it is not.',
    null,
  ),
};

/** A service key, without the key itself. */
export const serviceKeyWire = closedObject(fields, { $id: 'ServiceKey' });

/** A service key, with the key. Only the reply that creates or rotates it has this form. */
export const newServiceKeyWire = closedObject(
  {
    ...fields,
    key: field(Type.String(), 'The key. No other reply shows it.', 'tsk_4f1c…9c4e'),
  },
  { $id: 'NewServiceKey' },
);

export function toWire(key: ServiceKey) {
  return toReply(serviceKeyWire, { ...key, permissions: [...key.permissions], networks: [...key.networks] });
}
