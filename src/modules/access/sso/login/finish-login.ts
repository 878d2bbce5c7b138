import { Type } from 'typebox';
import { isOrgRole } from '#lib/caller.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import {
  console_cookies,
  countLogin,
  displaceAccount,
  findAccount,
  insertAccount,
  isAddressOwner,
  issueSession,
  loggedInWire,
  no_password,
  toConsoleCookie,
  toUserWire,
  updateLastLogin,
  type Account,
  type User,
} from '#modules/access/accounts';
import { checkDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { operation, redirect, reply, type Context } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import {
  checkLogin,
  request_minutes,
  buildServiceProvider,
  createMalformedRefusal,
  createResponseRefusal,
  findAdministratorWait,
  isConsolePath,
  selectDestination,
  type Configuration,
  type ProvenLogin,
} from '../rules.ts';
import { deleteRequest, findConfiguration, insertAssertion, lockConfiguration } from '../store.ts';
import { isSameBrowser } from './browser-cookie.ts';
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
    .catch((error: unknown) => recordRefusal(context, configuration, login, error))
    .catch(createRefusalLogger(context, org_id));
}

/** Records a refused login in the audit log of the organisation: only where its provider has signed the response, so that no stranger fills the log. */
async function recordRefusal(
  context: Context<never>,
  { org_id }: Configuration,
  { email }: ProvenLogin,
  error: unknown,
): Promise<never> {
  if (error instanceof Refusal)
    await context.transaction(async (tx) => {
      const account = await findAccount(tx, email);
      const isColleague = account && isOrgRole(account.role) && account.linked_entity_id === org_id;
      await recordAudit(tx, {
        now: context.now(),
        actor: null,
        action: 'auth.login_failed',
        org_id,
        detail: { factor: 'sso', reason: error.code, ...(isColleague && { user_id: account.id }) },
      });
    });
  throw error;
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
  return checkLogin(assertion, envelope, { configuration, service, now: context.now() });
}

/** Logs a refused login for the operator. The reason repeats nothing from the response except status codes of the SAML standard. */
function createRefusalLogger({ log, request }: Context<never>, org_id: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal)
      log.warn(
        { request_id: request.id, org_id, code: error.code, reason: error.message },
        'single sign-on refused',
      );
    throw error;
  };
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
  const { tokens, cookie } = await issueSession(context, tx, user, 'sso');
  const destination = selectDestination(RelayState, context.request.accept);
  if (destination !== undefined) {
    const own = isConsolePath(destination) ? toConsoleCookie(context.config, cookie) : cookie;
    return reply(303, { location: destination }, [own]);
  }
  const { created_at: _created, ...wire } = toUserWire(user);
  return reply(200, { ...tokens, user: wire }, [cookie]);
}

async function consumeLogin(
  { request, now }: Context<never>,
  tx: Transaction,
  { org_id }: Configuration,
  { in_response_to, assertion_id, assertion_expires_at: expires_at }: ProvenLogin,
): Promise<void> {
  if (in_response_to !== undefined) {
    const loginRequest = await deleteRequest(tx, { id: in_response_to, org_id, now: now() });
    if (!loginRequest)
      throw createResponseRefusal(
        `This login was not started at this service, was already completed, or is older than ${request_minutes} minutes.`,
      );
    if (!isSameBrowser(request, loginRequest.browser_hash))
      throw createResponseRefusal('This login was started in another browser.');
  }
  if (!(await insertAssertion(tx, { org_id, assertion_id, expires_at })))
    throw createResponseRefusal('The assertion has already been used.');
}

/**
 * An organisation's identity provider may log in users of the organisation and, with addresses of a domain that the organisation holds, new
 * users, but no other account of this service.
 */
async function admitUser(
  context: Context<never>,
  tx: Transaction,
  configuration: Configuration,
  email: string,
): Promise<User> {
  const account = await findAccount(tx, email);
  const isColleague = account && isOrgRole(account.role) && account.linked_entity_id === configuration.org_id;
  if (!isColleague) return admitNewUser(context, tx, configuration, { email, account });
  if (account.suspended_at !== null) throw new Refusal('account_suspended');
  if (account.role === 'org_admin') requireEstablishedProvider(configuration, context.now());
  const user = await updateLastLogin(tx, account, context.now());
  if (!user) throw createResponseRefusal('The account has just changed. Log in again.');
  return user;
}

/** Anyone who has taken over an administrator's session must not log in as the others by a provider of their own. */
function requireEstablishedProvider(configuration: Configuration, now: Date): void {
  const from = findAdministratorWait(configuration, now);
  if (from === null) return;
  throw new Refusal('sso_provider_new', {
    detail: `The identity provider is new or was changed. It logs administrators in from ${from.toISOString()}. Until then, administrators use a password or a passkey.`,
  });
}

type NewUser = { readonly email: string; readonly account: Account | undefined };

/**
 * Creates an account. If another account has the address without ever having verified it, a proof of the domain displaces it, because
 * its owner controls its mailboxes. A reserved name proves nothing.
 */
async function admitNewUser(
  context: Context<never>,
  tx: Transaction,
  { org_id, default_role }: Configuration,
  { email, account }: NewUser,
): Promise<User> {
  const holding = await checkDomainHolder(context, tx, { org_id, domain: readMailDomain(email) });
  // Before anything about the account, so that a claim without a proof reveals nothing about the addresses of the domain.
  if (holding === 'none') throw new Refusal('sso_domain_unverified');
  if (account && (holding !== 'proven' || isAddressOwner(account))) throw new Refusal('sso_account_refused');
  if (account) await displaceAccount(context, tx, email);
  const now = context.now();
  const user = await insertAccount(tx, {
    email,
    role: default_role,
    org_id,
    password_hash: no_password,
    now,
  });
  await recordAudit(tx, {
    now,
    actor: { user_id: user.id, role: default_role },
    action: 'sso.user_created',
    org_id,
    detail: { role: default_role },
  });
  return user;
}
