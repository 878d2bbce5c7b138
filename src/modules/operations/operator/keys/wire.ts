import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, timestamp, toReply } from '#platform/schema.ts';

const sample_kid = '1f6c0b52-9a3e-4d17-8c5b-7e2f4a6b8c0d';

export const kidWire = field(Type.String(), 'The id of the key.', sample_kid);
export const purposeWire = field(
  Type.Enum(['access_token', 'credential']),
  'What the key signs.',
  'credential',
);
export const algorithmWire = field(Type.Enum(['ES256', 'RS256']), 'How the key signs.', 'ES256');

/** A signing key, without anything secret. */
export const keyWire = closedObject(
  {
    kid: kidWire,
    purpose: purposeWire,
    algorithm: algorithmWire,
    state: field(
      Type.Enum(['active', 'retired', 'revoked']),
      '`active`: it signs. `retired`: what it signed stays valid. `revoked`: nothing that it signed is accepted.',
      'active',
    ),
    created_at: timestamp,
    retired_at: field(nullable(timestamp), 'When a newer key replaced it; null while it signs.', null),
    revoked_at: field(nullable(timestamp), 'When it was revoked; null if it was not.', null),
  },
  { $id: 'SigningKey' },
);

type Times = { readonly retired_at: Date | null; readonly revoked_at: Date | null };

type ListedKey = Times &
  Pick<Static<typeof keyWire>, 'kid' | 'purpose' | 'algorithm'> & { readonly created_at: Date };

export function toWire(key: ListedKey) {
  return toReply(keyWire, { ...key, state: selectState(key) });
}

/** The state of a key. A revoked key is also retired. */
export function selectState({ retired_at, revoked_at }: Times): Static<typeof keyWire>['state'] {
  if (revoked_at) return 'revoked';
  return retired_at ? 'retired' : 'active';
}
