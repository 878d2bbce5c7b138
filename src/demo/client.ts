/** A client of the REST API. The demo uses only endpoints that are open to any user. */
export type Client = {
  withToken(token: string): Client;
  get(path: string): Promise<Json>;
  post(path: string, body?: object): Promise<Json>;
  put(path: string, body: object): Promise<Json>;
  /** Sends a request whose reply may be a refusal. */
  send(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly reply: Json }>;
};

// The demo reads single fields of the replies, as the API reference describes them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/**
 * Creates a client that sends requests with an optional access token.
 *
 * @throws Error with the detail of the problem if a reply is not a success.
 */
export function createClient(baseUrl: string, token?: string): Client {
  const send: Client['send'] = async (method, path, body, headers) => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, reply: text === '' ? null : JSON.parse(text) };
  };
  const sendSuccessfully = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, reply } = await send(method, path, body);
    if (status >= 400) throw new Error(`${method} ${path} failed with status ${status}: ${reply?.detail}`);
    return reply;
  };
  return {
    withToken: (other) => createClient(baseUrl, other),
    get: (path) => sendSuccessfully('GET', path),
    post: (path, body) => sendSuccessfully('POST', path, body),
    put: (path, body) => sendSuccessfully('PUT', path, body),
    send,
  };
}

/** Logs in as a browser does. @returns the refresh token of the new session. @throws Error if the login fails. */
export async function fetchRefreshToken(
  baseUrl: string,
  credentials: { readonly email: string; readonly password: string },
  user_agent = 'Tessera demonstration',
): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': user_agent },
    body: JSON.stringify(credentials),
    signal: AbortSignal.timeout(30_000),
  });
  const token = /\brefresh_token=([\w-]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1];
  if (token === undefined)
    throw new Error(`the login of ${credentials.email} failed: ${await response.text()}`);
  return token;
}
