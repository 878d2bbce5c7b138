import { Type, type Static } from 'typebox';
import { roles } from '#lib/caller.ts';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { email_characters_max, emailPattern, password_characters_max } from './rules.ts';

/** An e-mail address in a request; compared without case. */
export const emailInput = Type.String({ maxLength: email_characters_max, pattern: emailPattern });

/** A password in a request. The rule is checked by the operation, so that the refusal can name every part that fails. */
export const passwordInput = Type.String({ maxLength: password_characters_max });

/** The six digits that an authenticator app shows. */
export const codeInput = Type.String({ pattern: '^[0-9]{6}$', maxLength: 6 });

/** Every answer that carries an access token has these fields. */
export const accessTokenFields = {
  access_token: Type.String(),
  token_type: Type.Enum(['Bearer']),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
};

export const accessTokenWire = Type.Object(accessTokenFields, { additionalProperties: false });

export type AccessTokenWire = Static<typeof accessTokenWire>;

const identity = { id: uuid, email: Type.String(), role: Type.Enum(roles) };
/** The member or the organisation behind the user; null for a platform administrator. */
const linked_entity_id = nullable(uuid);

export const registeredUserWire = Type.Object(
  { ...identity, created_at: timestamp },
  { additionalProperties: false },
);

const loggedInUserWire = Type.Object(
  { ...identity, linked_entity_id, last_login: timestamp },
  { additionalProperties: false },
);

/** The answer to a complete login. */
export const loggedInWire = Type.Object(
  { ...accessTokenFields, user: loggedInUserWire },
  { additionalProperties: false },
);

/** The answer to the password where a second factor is asked for. */
export const mfaRequiredWire = Type.Object(
  {
    mfa_required: Type.Literal(true),
    mfa_methods: Type.Array(Type.Enum(['totp'])),
    mfa_ticket: Type.String({ description: 'For POST /auth/mfa/authenticate: once, within five minutes.' }),
  },
  { additionalProperties: false },
);

/** The User of the specification. */
export const userWire = Type.Object(
  { ...identity, linked_entity_id, created_at: timestamp, last_login: timestamp },
  { additionalProperties: false },
);

/** A device that is signed in. */
export const sessionWire = Type.Object(
  {
    id: uuid,
    created_at: timestamp,
    last_used_at: Type.String({
      format: 'date-time',
      pattern: 'Z$',
      description: 'When its refresh token was last exchanged.',
    }),
    address: Type.String({ description: 'The network address that it signed in from.' }),
    user_agent: nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether it is the session that asks.' }),
  },
  { additionalProperties: false },
);

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
