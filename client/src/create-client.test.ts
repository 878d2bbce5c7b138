import { expect, test } from 'vitest';
import { buildClient } from './create-client.ts';

type Sent = {
  readonly url: string;
  readonly method: string | undefined;
  readonly headers: Headers;
  readonly body: unknown;
};

const table = {
  jobs: {
    readJob: 'GET /orgs/me/jobs/{job_id}',
    createJob: 'POST /orgs/me/jobs key',
    listJobs: 'GET /orgs/me/jobs',
    deleteJob: 'DELETE /orgs/me/jobs/{job_id}',
  },
  sso: { receive: 'POST /auth/sso/{org_id} application/x-www-form-urlencoded' },
};

type Group = Readonly<
  Record<
    string,
    ((input?: object, options?: object) => Promise<unknown>) & {
      readAll(input?: object): AsyncGenerator;
    }
  >
>;

/** Creates a client of a service with these answers, and notes what it is sent. */
function createNoted(...answers: readonly Response[]) {
  const sent: Sent[] = [];
  const fetch = (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), method: init.method, headers: new Headers(init.headers), body: init.body });
    return Promise.resolve(answers[Math.min(sent.length, answers.length) - 1]!.clone());
  };
  const client = buildClient(table, { url: 'https://tessera.example', fetch }) as Readonly<
    Record<string, Group>
  >;
  return { sent, jobs: client['jobs']!, sso: client['sso']! };
}

const reply = (value: unknown) => Response.json(value);

test('a parameter goes into the path, the query or the body, escaped', async () => {
  const { sent, jobs, sso } = createNoted(reply({}));
  await jobs['readJob']!({ job_id: '../me?x=1' });
  await jobs['listJobs']!({ status: 'a&b', limit: 2, cursor: undefined });
  await jobs['createJob']!({ body: { title: 'Köchin' } });
  await sso['receive']!({ org_id: 'o', body: { SAMLResponse: 'a+b=' } });
  expect(sent.map(({ url }) => url.slice('https://tessera.example/api/v1'.length))).toEqual([
    '/orgs/me/jobs/..%2Fme%3Fx%3D1',
    '/orgs/me/jobs?status=a%26b&limit=2',
    '/orgs/me/jobs',
    '/auth/sso/o',
  ]);
  expect(sent[2]!.body).toBe('{"title":"Köchin"}');
  expect(String(sent[3]!.body)).toBe('SAMLResponse=a%2Bb%3D');
  expect(sent[3]!.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
});

test.each([undefined, ''])('a path without its parameter (%j) is never sent', async (job_id) => {
  const { sent, jobs } = createNoted(reply({}));
  await expect(jobs['deleteJob']!({ job_id })).rejects.toThrow('"job_id" is missing');
  expect(sent).toEqual([]);
});

test('what creates something has a random key, or the one of the program', async () => {
  const { sent, jobs } = createNoted(reply({}));
  await jobs['createJob']!({ body: {} });
  await jobs['createJob']!({ body: {} });
  await jobs['createJob']!({ body: {} }, { idempotencyKey: 'mine' });
  await jobs['listJobs']!();
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(['mine', null]);
});

test('a list is read to its end with one page at a time, and no page is asked for before it is needed', async () => {
  const buildPage = (names: readonly string[], next_cursor: string | null) =>
    reply({ data: names, pagination: { next_cursor } });
  const { sent, jobs } = createNoted(
    buildPage(['a', 'b'], 'c-1'),
    buildPage([], 'c-2'),
    buildPage(['c'], null),
  );
  const read: unknown[] = [];
  for await (const item of jobs['listJobs']!.readAll({ status: 'active' })) {
    read.push([item, sent.length]);
  }
  expect(read).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 3],
  ]);
  expect(sent.map(({ url }) => new URL(url).search)).toEqual([
    '?status=active',
    '?status=active&cursor=c-1',
    '?status=active&cursor=c-2',
  ]);
});

test('a file is handed over as a stream, and no content as undefined', async () => {
  const csv = new Response('a,b', { headers: { 'content-type': 'text/csv; charset=utf-8' } });
  const file = await createNoted(csv).jobs['readJob']!({ job_id: 'x' });
  expect(file).toBeInstanceOf(Response);
  expect(await (file as Response).text()).toBe('a,b');
  expect(
    await createNoted(new Response(null, { status: 204 })).jobs['deleteJob']!({ job_id: 'x' }),
  ).toBeUndefined();
  const vc = new Response('{"id":"urn:x"}', { headers: { 'content-type': 'application/vc; charset=utf-8' } });
  expect(await createNoted(vc).jobs['readJob']!({ job_id: 'x' })).toEqual({ id: 'urn:x' });
});
