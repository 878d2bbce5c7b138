import { Type, type Static } from 'typebox';
import { roles } from '#lib/caller.ts';
import {
  closedObject,
  field,
  kind_keyword,
  nullable,
  patternText,
  text,
  timestamp,
  uuid,
} from '#platform/schema.ts';
import { sampleIds, sampleTokens } from '#platform/schema-samples.ts';
import { email_characters_max, emailPattern, password_characters_max, registerableRoles } from './rules.ts';

/** An email address in a request. Case and space around it do not matter, and its domain may be international. */
export const emailInput = patternText(emailPattern, 'must be an email address such as ada@example.org', {
  maxLength: email_characters_max,
  [kind_keyword]: 'email',
});

/** A password in a request. The operation checks the password rule, so that the refusal can name every part that fails. */
export const passwordInput = Type.String({ maxLength: password_characters_max });

/** Who a new account is for. */
export const newAccountFields = {
  name: Type.Optional(
    field(
      text(200),
      'Your name; for an org_admin, the name of the new organisation, which is required.',
      'Ada Lind',
    ),
  ),
  role: Type.Optional(Type.Enum(registerableRoles, { default: 'member' })),
};

/** The six-digit code of an authenticator app. */
export const codeInput = field(
  Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 }),
  'The six digits of your authenticator app.',
  '402817',
);

/** The fields of every reply that contains an access token. */
export const accessTokenFields = {
  access_token: Type.String(),
  token_type: Type.Enum(['Bearer']),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
};

export const accessTokenWire = closedObject(accessTokenFields);

export type AccessTokenWire = Static<typeof accessTokenWire>;

const identity = {
  id: field(uuid, 'The id of the user.', sampleIds.user),
  email: field(
    nullable(Type.String()),
    'Null for an account that was created by a handle, until its user verifies an address.',
    'ada.lind@example.org',
  ),
  role: Type.Enum(roles),
};
/** The member or the organisation of the user; null for a platform administrator. */
const linked_entity_id = nullable(uuid);

export const registeredUserWire = closedObject(
  { ...identity, created_at: timestamp },
  { $id: 'RegisteredUser' },
);

const loggedInUserWire = closedObject({ ...identity, linked_entity_id, last_login: timestamp });

/** The reply to a completed login. */
export const loggedInWire = closedObject({ ...accessTokenFields, user: loggedInUserWire }, { $id: 'Login' });

/** The reply to a correct password if MFA is enabled. */
export const mfaRequiredWire = closedObject({
  mfa_required: field(Type.Literal(true), 'The password is right, and a code is needed.'),
  mfa_methods: field(Type.Array(Type.Enum(['totp'])), 'The kinds of codes that are accepted.'),
  mfa_ticket: Type.String({
    description: 'For POST /auth/mfa/authenticate. Works once, within five minutes.',
    examples: [sampleTokens.mail],
  }),
});

const userWire = closedObject({
  ...identity,
  linked_entity_id,
  created_at: timestamp,
  last_login: timestamp,
});

/** The User resource with the display name, and how the account is protected. */
export const meWire = closedObject({
  ...userWire.properties,
  handle: field(nullable(Type.String()), 'The handle of the account; null if it has none.', 'ada-lind'),
  display_name: nullable(Type.String()),
  email_verified: field(Type.Boolean(), 'Whether the user has proven that the address is theirs.', true),
  mfa_enabled: field(Type.Boolean(), 'Whether a login needs a code from an authenticator app.', false),
});

export function toOwnUserWire({
  handle,
  display_name,
  email_verified,
  mfa_enabled,
  ...user
}: Parameters<typeof toWire>[0] &
  Pick<Static<typeof meWire>, 'handle' | 'display_name' | 'email_verified' | 'mfa_enabled'>): Static<
  typeof meWire
> {
  return { ...toWire(user), handle, display_name, email_verified, mfa_enabled };
}

/** A session: a device that is logged in. */
export const sessionWire = closedObject({
  id: field(uuid, 'The id of the session.', sampleIds.session),
  created_at: timestamp,
  last_used_at: Type.String({
    format: 'date-time',
    pattern: 'Z$',
    description: 'When the refresh token of the session was last exchanged.',
    examples: ['2026-03-09T07:45:00.000Z'],
  }),
  address: field(Type.String(), 'The network address from which the user logged in.', '203.0.113.24'),
  user_agent: field(
    nullable(Type.String()),
    'The program of the user, as it names itself; null if it does not.',
    'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
  ),
  current: field(Type.Boolean(), 'Whether this is the session of the request.', true),
});

export function toSessionWire(session: OpenSession, current_id: string): Static<typeof sessionWire> {
  const { id, created_at, last_used_at, address, user_agent } = session;
  return {
    id,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
    address,
    user_agent,
    current: id === current_id,
  };
}

type OpenSession = Omit<Static<typeof sessionWire>, 'created_at' | 'last_used_at' | 'current'> & {
  readonly created_at: Date;
  readonly last_used_at: Date;
};

type UserWire = Static<typeof userWire>;

export function toWire(
  user: Omit<UserWire, 'created_at' | 'last_login'> & {
    readonly created_at: Date;
    readonly last_login: Date;
  },
): UserWire {
  const { id, email, role, linked_entity_id, created_at, last_login } = user;
  return {
    id,
    email,
    role,
    linked_entity_id,
    created_at: created_at.toISOString(),
    last_login: last_login.toISOString(),
  };
}
