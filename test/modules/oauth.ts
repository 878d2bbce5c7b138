import { createHash, randomBytes } from 'node:crypto';
import type { CustomFetch } from 'openid-client';
import { nameConsoleCookie } from '#modules/access/accounts';
import type { TestApp, TestReply } from '#test/harness.ts';

/** Where a client of these tests receives its codes. */
export const callback = 'https://client.example/callback';

/** A browser: its cookies by path, and the session of a person in the console. */
export type Browser = {
  readonly cookies: Map<string, { readonly value: string; readonly path: string }>;
};

export function createBrowser(): Browser {
  return { cookies: new Map() };
}

/** Sends a request with the cookies of a browser for this path, and stores those of the reply. */
export async function visit(
  app: TestApp,
  browser: Browser,
  url: string,
  form?: Readonly<Record<string, string | readonly string[]>>,
): Promise<TestReply> {
  const { pathname, search } = new URL(url, app.platform.config.publicUrl);
  const sent = [...browser.cookies].filter(([, { path }]) => pathname.startsWith(path));
  const response = await app.server.inject({
    method: form ? 'POST' : 'GET',
    url: pathname + search,
    headers: {
      accept: 'text/html',
      cookie: sent.map(([name, { value }]) => `${name.split(' ', 1)[0]}=${value}`).join('; '),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(form && { payload: encodeForm(form) }),
  });
  for (const cookie of response.cookies as {
    name: string;
    value: string;
    path?: string;
    maxAge?: number;
  }[]) {
    const path = cookie.path ?? '/';
    const key = `${cookie.name} ${path}`;
    if (cookie.value === '') browser.cookies.delete(key);
    else browser.cookies.set(key, { value: cookie.value, path });
  }
  return {
    status: response.statusCode,
    body: response.body,
    headers: response.headers,
    cookies: Object.fromEntries(response.cookies.map(({ name, value }) => [name, value])),
  };
}

function encodeForm(form: Readonly<Record<string, string | readonly string[]>>): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(form))
    for (const value of [values].flat()) parameters.append(name, value);
  return parameters.toString();
}

/** Gives a browser the session that a login of the API has started. */
export function logInBrowser(app: TestApp, browser: Browser, refresh_token: string): void {
  const name = nameConsoleCookie(app.platform.config);
  browser.cookies.set(`${name} /`, { value: refresh_token, path: '/' });
}

/** Creates the function by which a client library sends its requests to the service in this process. */
export function createFetch(app: TestApp): CustomFetch {
  return async (url, { method, headers, body }) => {
    const { pathname, search } = new URL(url);
    const response = await app.server.inject({
      method: method as 'GET',
      url: pathname + search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body instanceof URLSearchParams && { payload: body.toString() }),
      ...(typeof body === 'string' && { payload: body }),
    });
    return new Response(response.payload, {
      status: response.statusCode,
      headers: { 'content-type': String(response.headers['content-type']) },
    });
  };
}

/** Registers a client without a secret. @returns its id. */
export async function registerClient(
  app: TestApp,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const reply = await app.request('POST', '//oauth/register', {
    body: {
      client_name: 'Example Agent',
      redirect_uris: [callback],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      ...metadata,
    },
  });
  if (reply.status !== 201) throw new Error(`registration: ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body.client_id;
}

export type Challenge = { readonly verifier: string; readonly challenge: string };

export function createChallenge(): Challenge {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Builds the address of an authorization request. `null` leaves a parameter out. */
export function buildAuthorizeUrl(
  app: TestApp,
  client_id: string,
  { challenge }: Challenge,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const { publicUrl } = app.platform.config;
  const parameters = {
    response_type: 'code',
    client_id,
    redirect_uri: callback,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-of-the-client',
    resource: `${publicUrl}/mcp`,
    scope: 'tool:read_profile tool:list_matches',
    ...changes,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return `${publicUrl}/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** Exchanges a code, or whatever the changes make of it. */
export function requestTokens(
  app: TestApp,
  parameters: Readonly<Record<string, string | undefined>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined) as [string, string][];
  return app.request('POST', '//oauth/token', {
    raw: new URLSearchParams(given).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });
}

/** A person's decision about an authorization request. */
export type Decision = {
  readonly tools?: readonly string[];
  readonly spend_cap?: number | null;
  readonly lifetime_days?: number;
};

/** Starts an authorization request. @returns its id, from the address of its page. */
export async function startInteraction(app: TestApp, browser: Browser, url: string): Promise<string> {
  const { status, headers, body } = await visit(app, browser, url);
  const uid = /\/oauth\/interaction\/([\w-]+)$/.exec(String(headers['location']))?.[1];
  if (status !== 303 || uid === undefined)
    throw new Error(`authorize: ${status} ${String(headers['location'])} ${body}`);
  return uid;
}

/** Decides as the pages do. @returns the reply of the operation. */
export function decide(
  app: TestApp,
  {
    token,
    uid,
    decision = {},
  }: { readonly token: string; readonly uid: string; readonly decision?: Decision },
): Promise<TestReply> {
  return app.request('POST', `/oauth/interactions/${uid}/consent`, {
    token,
    cookies: { 'tessera-interaction': uid },
    body: { tools: ['read_profile', 'list_matches'], spend_cap: null, lifetime_days: 90, ...decision },
  });
}

/** Continues after a decision. @returns the parameters with which the browser returns to the client. */
export async function returnToClient(
  app: TestApp,
  browser: Browser,
  continue_url: string,
): Promise<URLSearchParams> {
  const { headers } = await visit(app, browser, continue_url);
  return new URL(String(headers['location'])).searchParams;
}

/** What a client has after a person has allowed it something. */
export type Connection = {
  readonly client_id: string;
  readonly access_token: string;
  readonly refresh_token: string;
  readonly grant_id: string;
  readonly scope: string;
  readonly code: string;
  readonly verifier: string;
};

type ConnectOptions = {
  readonly scope?: string;
  readonly decision?: Decision;
  readonly client_id?: string;
};

/** Lets a person allow a client what it asks for. @returns the code, which nobody has exchanged yet. */
export async function requestCode(
  app: TestApp,
  { token }: { readonly token: string },
  { scope, decision = {}, client_id: known }: ConnectOptions = {},
): Promise<Pick<Connection, 'client_id' | 'code' | 'verifier'>> {
  const client_id = known ?? (await registerClient(app));
  const { verifier, challenge } = createChallenge();
  const browser = createBrowser();
  const url = buildAuthorizeUrl(
    app,
    client_id,
    { verifier, challenge },
    scope === undefined ? {} : { scope },
  );
  const uid = await startInteraction(app, browser, url);
  const decided = await decide(app, { token, uid, decision });
  if (decided.status !== 200) throw new Error(`decide: ${decided.status} ${JSON.stringify(decided.body)}`);
  const code = (await returnToClient(app, browser, decided.body.continue_url)).get('code')!;
  return { client_id, code, verifier };
}

/** Connects a client for a user: registration, consent and exchange of the code. */
export async function connectClient(
  app: TestApp,
  user: { readonly token: string },
  options: ConnectOptions = {},
): Promise<Connection> {
  const { client_id, code, verifier } = await requestCode(app, user, options);
  const { status, body } = await requestTokens(app, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: callback,
    client_id,
  });
  if (status !== 200) throw new Error(`token: ${status} ${JSON.stringify(body)}`);
  const { gid } = JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
  return { ...body, client_id, grant_id: gid, code, verifier };
}
