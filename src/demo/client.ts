/** A caller of our own REST API: the demo uses nothing that a stranger could not. */
export type Client = {
  withToken(token: string): Client;
  get(path: string): Promise<Json>;
  post(path: string, body?: object): Promise<Json>;
  put(path: string, body: object): Promise<Json>;
};

// Replies are read field by field, by what the reference says of them.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any;

/** @throws Error with the problem's own words when an answer is not a success. */
export function createClient(baseUrl: string, token?: string): Client {
  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const answer: Json = text === '' ? null : JSON.parse(text);
    if (!response.ok)
      throw new Error(`${method} ${path} answered ${response.status}: ${answer?.detail ?? text}`);
    return answer;
  };
  return {
    withToken: (other) => createClient(baseUrl, other),
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
  };
}
