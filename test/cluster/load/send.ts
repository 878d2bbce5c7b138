/** How a request differs from a POST with a body. */
export type RequestOptions = {
  readonly method?: 'GET' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends a request to the API, a POST unless the options say otherwise. Rejects if the connection breaks. */
export type Send = (
  path: string,
  body?: object,
  token?: string,
  options?: RequestOptions,
) => Promise<{ readonly status: number; readonly reply: object }>;

/** Sends requests to the nodes in turn and, like a load balancer, to the next one if a node accepts no connection. */
export function createSender(urls: readonly string[]): Send {
  let turn = 0;
  return async (path, body, token, options) => {
    const first = turn++ % urls.length;
    const order = [...urls.slice(first), ...urls.slice(0, first)];
    for (const url of order) {
      const response = await request(`${url}/api/v1${path}`, body, token, options);
      if (response) return { status: response.status, reply: await readJson(response) };
    }
    return { status: 503, reply: {} };
  };
}

/** Resolves to undefined if nobody accepted the connection, so that nothing was sent. */
async function request(
  url: string,
  body: object | undefined,
  token: string | undefined,
  { method, headers }: RequestOptions = {},
): Promise<Response | undefined> {
  try {
    return await fetch(url, {
      method: method ?? 'POST',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
  } catch (error) {
    if (((error as Error).cause as { code?: string } | undefined)?.code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

/** A balancer itself replies with HTML while no node lives. */
async function readJson(response: Response): Promise<object> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return isJson && text !== '' ? (JSON.parse(text) as object) : {};
}
