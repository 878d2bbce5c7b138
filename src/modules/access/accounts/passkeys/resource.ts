import { Type } from 'typebox';
import { editable, fixed, resource, type Row } from '#platform/resource.ts';
import { field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

const bytes = Type.Unsafe<Buffer>({});

export const passkeyResource = resource(
  { table: 'passkeys', $id: 'Passkey' },
  {
    id: fixed(field(uuid, 'The id of the passkey.', sampleIds.passkey)),
    name: editable(field(text(60), 'A name by which the user knows the passkey.', 'Phone')),
    synced: fixed(
      field(
        Type.Boolean(),
        'Whether a password manager keeps copies of the passkey, so that it survives the loss of a device.',
        true,
      ),
    ),
    created_at: fixed(timestamp, { as: 'time' }),
    last_used_at: fixed(
      field(
        nullable(timestamp),
        'When the passkey was last used; null if it was not yet.',
        '2026-03-09T07:45:00.000Z',
      ),
      { as: 'time', default: null },
    ),
    user_id: fixed(uuid, { hidden: true }),
    credential_id: fixed(bytes, { hidden: true }),
    public_key: fixed(bytes, { hidden: true }),
    sign_count: fixed(Type.Integer(), { hidden: true }),
    transports: fixed(Type.Array(Type.String()), { hidden: true }),
  },
);

export type Passkey = Row<typeof passkeyResource>;
