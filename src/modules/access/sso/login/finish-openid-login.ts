import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { console_cookies, countLogin, loggedInWire } from '#modules/access/accounts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, redirect, type Context } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import { readState, readUser, selectRole, type Claims, type OpenidConfiguration } from '../openid/rules.ts';
import { findOpenidConfiguration, lockOpenidConfiguration } from '../openid/store.ts';
import { verifyOpenidAnswer, type OpenidAnswer } from '../openid/verify-openid-answer.ts';
import { createResponseRefusal } from '../rules.ts';
import { admitOpenidUser } from './admit-openid-user.ts';
import { createOtherBrowserRefusal, hasCookieOf } from './browser-cookie.ts';
import { consumeRequest } from './consume-request.ts';
import { createRefusalLogger, recordRefusal } from './record-refusal.ts';
import { replyWithSession } from './reply-with-session.ts';

const answerText = Type.String({ minLength: 1, maxLength: 4_000 });

export const finishOpenidLogin = operation({
  name: 'sso.finishOpenidLogin',
  title: 'Finish a login by OpenID Connect',
  summary:
    'The redirect URI of the OpenID Connect provider: trades the code for an ID token and logs the user in; a new user of a verified domain gets an account. Then redirects to where the login was started for, or a browser to the console; otherwise replies like a login.',
  who: 'anyone',
  input: closedObject({
    org_id: uuid,
    state: field(answerText, 'The state of the login, as it was started.', '_3f1c…/jobs'),
    code: Type.Optional(field(answerText, 'The code of the provider.', 'SplxlOBeZQQYbYS6WxSbIA')),
    iss: Type.Optional(
      field(answerText, 'The issuer, if the provider names it.', 'https://login.rivermurraytrust.example'),
    ),
    error: Type.Optional(field(answerText, 'Why the provider logs nobody in.', 'access_denied')),
  }),
  output: { 200: loggedInWire, 303: redirect() },
  refuses: [
    'sso_not_configured',
    'sso_response_refused',
    'sso_account_refused',
    'sso_domain_unverified',
    'sso_provider_new',
    'sso_provider_unavailable',
    'account_suspended',
    'organisation_suspended',
  ],
  cookies: { reads: 'sso_browser', sets: ['refresh_token', ...console_cookies] },
  writes_on_read: 'The login that the answer completes, and its session.',
  run: (context, { org_id, ...answer }) =>
    countLogin(context, 'sso', () => logInByAnswer(context, org_id, answer)),
});

/** The login is used up before the code is traded, so that an answer is tried once. What the provider has to say takes longer than a transaction may. */
async function logInByAnswer(context: Context<never>, org_id: string, answer: OpenidAnswer) {
  const configuration = await findOpenidConfiguration(context.database, org_id);
  if (!configuration?.enabled) throw new Refusal('sso_not_configured');
  const logRefusal = createRefusalLogger(context, org_id);
  const { id, relay_state } = await consumeAnswer(context, org_id, answer).catch(logRefusal);
  const claims = await verifyOpenidAnswer(context, configuration, answer, id).catch(logRefusal);
  const finish = () =>
    context.transaction((tx) => completeLogin(context, tx, { configuration, claims, relay_state }));
  return finish()
    .catch((error: unknown) => {
      // A concurrent login of the same new user has created the account in the meantime.
      if (error instanceof Refusal && error.code === 'email_taken') return finish();
      throw error;
    })
    .catch((error: unknown) => recordRefusal(context, org_id, String(claims['email']), error))
    .catch(logRefusal);
}

async function consumeAnswer(context: Context<never>, org_id: string, { state }: OpenidAnswer) {
  const login = readState(state);
  if (!login) throw createResponseRefusal('The state is not one of this service.');
  const browser_hash = await context.transaction((tx) =>
    consumeRequest(tx, { id: login.id, org_id, now: context.now() }),
  );
  if (!hasCookieOf(context.request, browser_hash)) throw createOtherBrowserRefusal();
  return login;
}

type PendingLogin = {
  readonly configuration: OpenidConfiguration;
  readonly claims: Claims;
  readonly relay_state: string;
};

async function completeLogin(
  context: Context<never>,
  tx: Transaction,
  { configuration, claims, relay_state }: PendingLogin,
) {
  if (!(await lockOpenidConfiguration(tx, configuration)))
    throw createResponseRefusal('The configuration has just changed. Log in again.');
  const user = await admitOpenidUser(context, tx, configuration, {
    ...readUser(claims, configuration),
    role: selectRole(claims, configuration),
  });
  return replyWithSession(context, tx, user, relay_state);
}
