import { Type } from 'typebox';
import {
  accessTokenFields,
  insertProvenMember,
  issueSession,
  no_password,
  registeredUserWire,
  toUserWire,
} from '#modules/access/accounts';
import { consentVersions, grantConsent } from '#modules/people/consent';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { insertMirror } from './insert-mirror.ts';
import type { LoadedMirror } from './load-mirror.ts';
import { loadLink } from './open-link.ts';
import { linkInput } from './mirror-reply.ts';

type Version = (typeof consentVersions)[number];

export const keepMirror = operation({
  name: 'traits.keepMirror',
  title: 'Create an account with the answers of a first mirror',
  summary:
    'Creates the account of a member from the link of a first mirror, with a verified address and the consent to `assessment_data`, begins the assessment with those answers, and logs in. The account has no password until its user chooses one by POST /auth/forgot-password, or adds a passkey.',
  who: 'anyone',
  input: closedObject({
    token: linkInput,
    version: field(
      Type.Enum(consentVersions),
      'The version of the text of `assessment_data` that you agree to, of GET /consent-texts.',
      consentVersions.at(-1)!,
    ),
  }),
  output: { 201: closedObject({ ...accessTokenFields, user: registeredUserWire }) },
  location: () => '/auth/me',
  refuses: ['mirror_link_invalid', 'mirror_expired', 'email_taken'],
  idempotent: true,
  cookies: { sets: ['refresh_token'] },
  run: async (context, { token, version }) => {
    const { email, ...loaded } = await loadLink(context, context.database, token);
    return context.transaction((tx) => createAccount(context, tx, { email, version, loaded }));
  },
});

type Keeping = { readonly email: string; readonly version: Version; readonly loaded: LoadedMirror };

async function createAccount(context: Context<never>, tx: Transaction, { email, version, loaded }: Keeping) {
  const account = await insertProvenMember(context, tx, { email, password_hash: no_password });
  const { linked_entity_id, last_login: _login, ...user } = toUserWire(account);
  if (linked_entity_id === null) throw new Error('the new account has no member');
  const grant = { user_id: account.id, member_id: linked_entity_id };
  await grantConsent(context, tx, { ...grant, consent_type: 'assessment_data', version });
  await insertMirror(context, tx, linked_entity_id, loaded);
  const { tokens, cookie } = await issueSession(context, tx, account);
  return reply(201, { ...tokens, user }, [cookie]);
}
