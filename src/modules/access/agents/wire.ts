import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { closedObject, field, nullable, patternText, timestamp } from '#platform/schema.ts';

/** The roles that may let an agent act for them. The powers of an operator are not delegated. */
export const consentingRoles = ['member', ...orgRoles] as const;

/** The id of an authorization request, as the library makes it. */
export const uid = field(
  patternText('^[A-Za-z0-9_-]{10,64}$', 'must be the id of an authorization request', { maxLength: 64 }),
  'The id of the authorization request, from the address of its page.',
  'V1StGXR8_Z5jdHi6B-myT',
);

export const interactionWire = closedObject({
  uid,
  prompt: field(
    Type.Enum(['login', 'consent']),
    '`login` if nobody is logged in, or if the client asks for a newer login (`prompt=login`, `max_age`); then `consent`: the user decides.',
    'consent',
  ),
  client: field(
    closedObject({
      id: field(Type.String(), 'The id of the client.', '0b5f3c1e-5f0a-4b86-9c1e-2f6f0f0d3a11'),
      name: field(
        Type.String(),
        'What the client calls itself. The host of its document, or where the browser goes afterwards, if it has no name or one that imitates.',
        'Claude',
      ),
      is_named: field(
        Type.Boolean(),
        'Whether the client calls itself by `name`. Nobody has checked the name.',
        true,
      ),
      document_host: field(
        nullable(Type.String()),
        'The host that publishes who the client is; null for a client that registered itself.',
        'claude.ai',
      ),
      redirect_host: field(
        Type.String(),
        'Where the browser goes afterwards: a host, or the scheme of an application.',
        'claude.ai',
      ),
      is_verified: field(
        Type.Boolean(),
        'Whether the domain of the redirect address itself publishes who the client is.',
        false,
      ),
      is_local: field(
        Type.Boolean(),
        'Whether the browser goes to a program on the device of the user. Any program there can take the place of the client.',
        false,
      ),
    }),
    'The client that asks.',
  ),
  tools: field(
    Type.Array(Type.String()),
    'The tools that the client asks for, without those that the role of the user may not allow.',
    ['read_profile', 'list_matches'],
  ),
  expires_at: field(timestamp, 'Until when the user may decide.', '2026-03-02T10:00:00.000Z'),
});

export const continueWire = closedObject({
  continue_url: field(
    Type.String(),
    'Where the browser continues, to return to the client.',
    'https://tessera.example/oauth/authorize/V1StGXR8_Z5jdHi6B-myT',
  ),
});
