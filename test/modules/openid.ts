import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';
import { Provider, type Configuration } from 'oidc-provider';
import type { OutboundRequest, OutboundResponse } from '#platform/outbound/outbound.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestApp, TestReply } from '../harness.ts';
import type { TestOrgUser } from '../users.ts';
import { createOperatorOrganisation } from './sso.ts';

export const openid_domain = 'harbour.example';
export const openidClient = { client_id: 'tessera', client_secret: 'a-secret-of-the-client' };

/** Listens on a free port until the file ends. @returns the origin. */
export async function listenOnce(
  answer: (request: IncomingMessage, reply: ServerResponse) => unknown,
): Promise<string> {
  const server = createServer((request, reply) => void answer(request, reply)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUpAfterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The claims of the users of a provider, by their subjects. */
export type ProviderUsers = Record<string, Readonly<Record<string, unknown>>>;

/** A provider of another maker. `as` is the subject who presses the button of its page. */
export type TestProvider = { readonly issuer: string; readonly users: ProviderUsers; as: string };

/** Starts `oidc-provider` as the identity provider of an organisation. Its page logs in without a password. */
export async function startOpenidProvider(
  redirect_uri: string,
  more: Partial<Configuration> = {},
): Promise<TestProvider> {
  // The provider needs its address first.
  const started = Promise.withResolvers<(request: IncomingMessage, reply: ServerResponse) => unknown>();
  const issuer = await listenOnce(async (request, reply) => (await started.promise)(request, reply));
  const state: TestProvider = { issuer, users: {}, as: 'ada' };
  const provider = new Provider(issuer, {
    clients: [
      {
        ...openidClient,
        redirect_uris: [redirect_uri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['of a test'] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...state.users[sub] }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId!,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
    ...more,
  });
  const callback = provider.callback();
  started.resolve((request, reply) => {
    if (!request.url!.startsWith('/interaction/')) return callback(request, reply);
    if (request.method === 'POST')
      return provider.interactionFinished(request, reply, { login: { accountId: state.as } });
    return reply.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Provider</title>
      <form method="post"><button>I am ${state.as}</button></form>`);
  });
  return state;
}

/** Follows the pages of a provider as a browser does, and presses its button. @returns the address to which the browser is sent back. */
export async function passProvider(address: string, until: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let target = address;
  let method = 'GET';
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(target, { method, redirect: 'manual', headers: { cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      cookies.set(name!, value!);
    }
    const location = reply.headers.get('location');
    if (location === null) {
      if (method === 'POST' || reply.status !== 200)
        throw new Error(`the provider gave ${reply.status}: ${await reply.text()}`);
      method = 'POST';
      continue;
    }
    method = 'GET';
    target = new URL(location, target).href;
    if (target.startsWith(until)) return new URL(target);
  }
  throw new Error('the provider sends the browser around in circles');
}

export type OpenidOrganisation = {
  readonly admin: TestOrgUser;
  readonly org_id: string;
  readonly redirect_uri: string;
};

/** Creates an organisation of the tier that has single sign-on, and names the address to which its provider sends browsers back. */
export async function createOpenidOrganisation(app: TestApp): Promise<OpenidOrganisation> {
  const admin = await createOperatorOrganisation(app);
  const redirect_uri = `${app.platform.config.publicUrl}/api/v1/auth/sso/${admin.org_id}/callback`;
  return { admin, org_id: admin.org_id, redirect_uri };
}

/** Configures the provider of an organisation. */
export function configureOpenid(
  app: TestApp,
  { admin, org_id }: Pick<OpenidOrganisation, 'admin' | 'org_id'>,
  body: Readonly<Record<string, unknown>>,
): Promise<TestReply> {
  return app.request('PUT', `/orgs/${org_id}/sso/openid`, {
    token: admin.token,
    body: { ...openidClient, email_domains: [openid_domain], ...body },
  });
}

/** A login that was started: where the browser goes, and its cookies. */
export type StartedLogin = { readonly address: string; readonly cookies: Readonly<Record<string, string>> };

/** Starts a login. */
export async function startOpenidLogin(
  app: TestApp,
  { org_id }: Pick<OpenidOrganisation, 'org_id'>,
  relay_state?: string,
): Promise<StartedLogin> {
  const query = relay_state === undefined ? '' : `?relay_state=${encodeURIComponent(relay_state)}`;
  const { status, headers, cookies, body } = await app.request('GET', `/auth/sso/${org_id}/login${query}`);
  if (status !== 302) throw new Error(`the login gave status ${status}: ${JSON.stringify(body)}`);
  return { address: String(headers['location']), cookies };
}

/** Brings the answer of a provider back to the service. */
export function sendAnswer(
  app: TestApp,
  { org_id }: Pick<OpenidOrganisation, 'org_id'>,
  answer: URLSearchParams | Readonly<Record<string, string>>,
  cookies: Readonly<Record<string, string>>,
): Promise<TestReply> {
  const query = new URLSearchParams(answer).toString();
  return app.request('GET', `/auth/sso/${org_id}/callback?${query}`, { cookies });
}

/** Logs in from start to end, as the user who presses the button of the provider. */
export async function completeOpenidLogin(
  app: TestApp,
  organisation: OpenidOrganisation,
  relay_state?: string,
): Promise<TestReply> {
  const { address, cookies } = await startOpenidLogin(app, organisation, relay_state);
  const answer = await passProvider(address, organisation.redirect_uri);
  return sendAnswer(app, organisation, answer.searchParams, cookies);
}

/** Creates a provider without a network, which logs in Mira, whom no other provider of the tests knows. `noteLogin` takes the address of a login that was started, and returns its state. */
export async function createOfflineProvider() {
  const issuer = 'https://offline-provider.example';
  const { publicKey, privateKey } = await jose.generateKeyPair('ES256');
  const jwks = { keys: [{ ...(await jose.exportJWK(publicKey)), alg: 'ES256', use: 'sig' }] };
  const description = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
  /** The nonces of logins, by the challenge of their codes. */
  const nonces = new Map<string, string>();
  const issueToken = (verifier: string) =>
    new jose.SignJWT({
      nonce: nonces.get(hash('sha256', verifier, 'base64url'))!,
      email: `mira@${openid_domain}`,
    })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(issuer)
      .setSubject('mira')
      .setAudience(openidClient.client_id)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey);
  return {
    issuer,
    noteLogin: (address: string): string => {
      const { searchParams } = new URL(address);
      nonces.set(searchParams.get('code_challenge')!, searchParams.get('nonce')!);
      return searchParams.get('state')!;
    },
    /** The response to a request of the service; undefined for another server. */
    answer: async (url: string, { body = '' }: OutboundRequest): Promise<OutboundResponse | undefined> => {
      const path = url.startsWith(issuer) ? url.slice(issuer.length) : undefined;
      const verifier = new URLSearchParams(body.toString()).get('code_verifier') ?? '';
      const documents: Readonly<Record<string, unknown>> = {
        '/.well-known/openid-configuration': description,
        '/jwks': jwks,
        ...(path === '/token' && {
          '/token': { access_token: 'a', token_type: 'Bearer', id_token: await issueToken(verifier) },
        }),
      };
      const document = path === undefined ? undefined : documents[path];
      if (document === undefined) return undefined;
      const body_bytes = Buffer.from(JSON.stringify(document));
      return { status: 200, headers: { 'content-type': 'application/json' }, body: body_bytes };
    },
  };
}
