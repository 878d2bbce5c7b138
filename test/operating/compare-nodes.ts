import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** The address that both nodes serve, as their pages know it. */
export const public_url = 'http://localhost:8420';

const password = 'Correct-Horse-9';

/** Uses on each of two nodes what the other one has made: a token, a page of a list, a form, a session, and a file of a page. @returns what is not valid there. */
export async function compareNodes(one: string, two: string): Promise<readonly string[]> {
  const faults = await Promise.all([useElsewhere(one, two), useElsewhere(two, one)]);
  return faults.flat();
}

/** Makes everything on the first node, and uses it on the second. */
async function useElsewhere(made: string, used: string): Promise<string[]> {
  const faults: string[] = [];
  const expectStatus = (what: string, { status }: Reply, wanted: number) => {
    if (status !== wanted) faults.push(`${what} got ${status} instead of ${wanted}`);
  };
  const name = randomBytes(4).toString('hex');
  const email = `mover-${name}@rolling.example`;
  const user = { email, password, name: `Movers ${name}`, role: 'org_admin' };
  const { access_token } = JSON.parse((await post(`${made}/api/v1/auth/register`, user)).body);
  const headers = { authorization: `Bearer ${access_token}` };
  expectStatus('a token', await send('GET', `${used}/api/v1/auth/me`, headers), 200);
  const list = '/api/v1/orgs/me/jobs';
  for (const title of ['One', 'Two']) {
    const created = await post(made + list, { ...job, title }, headers);
    expectStatus('a job', created, 201);
  }
  const first = JSON.parse((await send('GET', `${made}${list}?limit=1`, headers)).body);
  const next = `${used}${list}?limit=1&cursor=${encodeURIComponent(first.pagination.next_cursor)}`;
  expectStatus('the next page of a list', await send('GET', next, headers), 200);

  const shown = await send('GET', `${made}/sign-in`);
  const [file] = /\/assets\/[\w.-]+\?v=[\w-]+/.exec(shown.body) ?? ['/assets/none'];
  expectStatus('a file of a page', await send('GET', used + file), 200);
  const token = /name="token" value="([^"]+)"/.exec(shown.body)?.[1] ?? '';
  const fields = new URLSearchParams({ action: 'send', token, email, password }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded', cookie: shown.cookies };
  const sent = await send('POST', `${used}/sign-in`, form, fields);
  expectStatus('a form', sent, 303);
  expectStatus('a session', await send('GET', `${made}/app`, { cookie: sent.cookies }), 200);
  return faults;
}

const job = {
  outcome_description: 'Created on one version and listed on the other.',
  trait_priorities: { persistence: 0.8, accountability: 0.6 },
};

type Headers = Readonly<Record<string, string>>;
type Reply = { readonly status: number; readonly body: string; readonly cookies: string };

function post(url: string, body: object, headers: Headers = {}): Promise<Reply> {
  return send('POST', url, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

/** Asks a node by the name that a load balancer passes on; a page that is asked for by another name leads to that one. */
async function send(method: string, url: string, headers: Headers = {}, body = ''): Promise<Reply> {
  const { host, origin } = new URL(public_url);
  const sending = request(url, { method, headers: { host, origin, ...headers }, agent: false });
  sending.end(body);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  const cookies = (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]);
  return { status: response.statusCode ?? 0, body: await text(response), cookies: cookies.join('; ') };
}
