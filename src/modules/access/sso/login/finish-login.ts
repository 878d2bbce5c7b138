import { Type } from 'typebox';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { console_cookies, countLogin, loggedInWire } from '#modules/access/accounts';
import { readWorldTime } from '#platform/clock.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, redirect, type Context } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import {
  checkLogin,
  buildServiceProvider,
  createMalformedRefusal,
  createResponseRefusal,
  type Configuration,
  type ProvenLogin,
} from '../rules.ts';
import { findConfiguration, insertAssertion, lockConfiguration } from '../store.ts';
import { admitUser } from './admit-user.ts';
import { createOtherBrowserRefusal, isSameBrowser } from './browser-cookie.ts';
import { consumeRequest } from './consume-request.ts';
import { createRefusalLogger, recordRefusal } from './record-refusal.ts';
import { replyWithSession } from './reply-with-session.ts';
import { verifySamlResponse } from './verify-saml-response.ts';

const response_bytes_max = 128 * 1024;

export const finishLogin = operation({
  name: 'sso.finishLogin',
  title: 'Finish a login by SSO',
  summary:
    'Accepts the SAML response of the identity provider and signs the user in; a new user of a verified domain gets an account with the default role. Redirects to the path in RelayState, or a browser without one to the console, with the session as a cookie; otherwise replies like a login. Ignores any other RelayState.',
  who: 'anyone',
  input: closedObject({
    org_id: uuid,
    // One class of characters needs one pass. Decoding checks where the padding and the line breaks are.
    SAMLResponse: field(
      Type.String({ minLength: 1, maxLength: 200_000, pattern: '^[A-Za-z0-9+/=\\r\\n]+$' }),
      'The signed response of the identity provider, in base64.',
      'PHNhbWxwOlJlc3BvbnNlPuKApjwvc2FtbHA6UmVzcG9uc2U+',
    ),
    RelayState: Type.Optional(
      field(
        Type.String(),
        'The path on this origin to which the browser is redirected. Other text is ignored.',
        '/jobs',
      ),
    ),
  }),
  output: { 200: loggedInWire, 303: redirect() },
  refuses: [
    'sso_not_configured',
    'sso_response_malformed',
    'sso_response_refused',
    'sso_account_refused',
    'sso_domain_unverified',
    'sso_provider_new',
    'account_suspended',
    'organisation_suspended',
  ],
  cookies: { reads: 'sso_browser', sets: ['refresh_token', ...console_cookies] },
  run: (context, input) => countLogin(context, 'sso', () => logInByResponse(context, input)),
});

type ResponseInput = { readonly org_id: string; readonly SAMLResponse: string; readonly RelayState?: string };

async function logInByResponse(
  context: Context<never>,
  { org_id, SAMLResponse, RelayState = '' }: ResponseInput,
) {
  const configuration = await findConfiguration(context.database, org_id);
  if (!configuration?.enabled) throw new Refusal('sso_not_configured');
  const login = await verifyResponse(context, configuration, decodeResponse(SAMLResponse)).catch(
    createRefusalLogger(context, org_id),
  );
  const finish = () =>
    context.transaction((tx) => completeLogin(context, tx, { configuration, login, RelayState }));
  return finish()
    .catch((error: unknown) => {
      // A concurrent login of the same new user has created the account in the meantime.
      if (error instanceof Refusal && error.code === 'email_taken') return finish();
      throw error;
    })
    .catch((error: unknown) => recordRefusal(context, org_id, login.email, error))
    .catch(createRefusalLogger(context, org_id));
}

/** Decodes the XML of a response: base64 without characters other than line breaks, UTF-8, and limited in size. */
function decodeResponse(field: string): string {
  const base64 = field.replace(/[\r\n]+/g, '');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > response_bytes_max)
    throw createFieldRefusal(
      'field_invalid',
      '/SAMLResponse',
      `must not be larger than ${response_bytes_max} bytes`,
    );
  if (bytes.toString('base64') !== base64) throw createMalformedRefusal('The response is not base64.');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw createMalformedRefusal('The response is not UTF-8.');
  }
}

async function verifyResponse(
  context: Context<never>,
  configuration: Configuration,
  xml: string,
): Promise<ProvenLogin> {
  const service = buildServiceProvider(context.config.publicUrl, configuration.org_id);
  const { assertion, envelope } = await verifySamlResponse(xml, configuration, service);
  return checkLogin(assertion, envelope, { configuration, service, now: readWorldTime(context) });
}

type PendingLogin = {
  readonly configuration: Configuration;
  readonly login: ProvenLogin;
  readonly RelayState: string;
};

async function completeLogin(
  context: Context<never>,
  tx: Transaction,
  { configuration, login, RelayState }: PendingLogin,
) {
  if (!(await lockConfiguration(tx, configuration)))
    throw createResponseRefusal('The configuration has just changed. Log in again.');
  await consumeLogin(context, tx, configuration, login);
  const user = await admitUser(context, tx, configuration, login.email);
  return replyWithSession(context, tx, user, RelayState);
}

async function consumeLogin(
  { request, now }: Context<never>,
  tx: Transaction,
  { org_id }: Configuration,
  { in_response_to, assertion_id, assertion_expires_at: expires_at }: ProvenLogin,
): Promise<void> {
  if (in_response_to !== undefined) {
    const browser_hash = await consumeRequest(tx, { id: in_response_to, org_id, now: now() });
    if (!isSameBrowser(request, browser_hash)) throw createOtherBrowserRefusal();
  }
  if (!(await insertAssertion(tx, { org_id, assertion_id, expires_at })))
    throw createResponseRefusal('The assertion has already been used.');
}
