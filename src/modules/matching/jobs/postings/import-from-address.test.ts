import { describe, expect, it } from 'vitest';
import { createFetchOutbound } from '#platform/outbound/outbound.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import {
  type BoardReplies,
  buildAshbyBoard,
  buildGreenhouseBoard,
  buildJobPage,
  buildLeverBoard,
  published_text,
  startBoardServer,
} from '#test/modules/job-boards.ts';
import { findBoardAddress } from './board-address.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const admin = await app.registerOrgAdmin();
const replies: BoardReplies = new Map();
const server = await startBoardServer(replies);

const send = (url: string, token: string | undefined = admin.token) =>
  app.request('POST', '/orgs/me/jobs/import/address', { ...(token && { token }), body: { url } });
const serve = (body: unknown, path = '/board') => {
  replies.set(path, { body: typeof body === 'string' ? body : JSON.stringify(body) });
  return `${server}${path}`;
};
const readRefusal = async (url: string) => {
  const { status, body } = await send(url);
  return [status, body.errors[0].pointer, body.errors[0].reason];
};

const salary = { salary_min: 78_000, salary_max: 96_000, salary_currency: 'AUD' };

describe('the jobs at an address', () => {
  it.each([
    ['Greenhouse', buildGreenhouseBoard(), { external_ref: '4711', outcome_description: published_text }],
    [
      'Lever',
      buildLeverBoard(),
      {
        external_ref: '5ac21346-8e0c-4494-8e7a-3eb92ff77902',
        outcome_description: `${published_text}\n\nWhat you do\n\n- Rounds\n\n- Records\n\nWe answer in a week.`,
        remote_policy: 'hybrid',
        ...salary,
      },
    ],
    [
      'Ashby',
      buildAshbyBoard(),
      {
        external_ref: '145ff46b-1441-4773-bcd3-c8c90baa598a',
        outcome_description: published_text,
        remote_policy: 'remote',
        ...salary,
      },
    ],
  ])('are read from a board of %s, with proposed priorities', async (_, board, expected) => {
    const { status, body } = await send(serve(board));
    expect([status, body.left_out, body.drafts.length]).toEqual([200, 0, 1]);
    expect(body.drafts[0]).toMatchObject({
      ...expected,
      title: 'Ward nurse',
      finding: 'proposed',
      job: null,
    });
    expect(Object.keys(body.drafts[0].trait_priorities)).toContain('pressure_response');
  });

  it('are read from a page, after a redirect, and its address is the reference of a job without another', async () => {
    const page = serve(buildJobPage(), '/jobs/nurse');
    replies.set('/old', { status: 301, location: '/jobs/nurse' });
    expect((await send(`${server}/old`)).body.drafts).toMatchObject([
      { title: 'Ward nurse', external_ref: `${server}/old` },
    ]);
    serve(buildJobPage({ identifier: { '@type': 'PropertyValue', value: 99 } }), '/jobs/nurse');
    expect((await send(page)).body.drafts[0].external_ref).toBe('99');
    for (const value of ['', ' ', '\0', '\ud800', 'x'.repeat(201), {}]) {
      serve(buildJobPage({ identifier: { value } }), '/jobs/nurse');
      expect((await send(page)).body.drafts[0].external_ref).toBe(page);
    }
  });

  it('are at most fifty drafts, and the reply says how many are left out; a board may have none', async () => {
    const [job] = buildGreenhouseBoard().jobs;
    const jobs = Array.from({ length: 53 }, (_, id) => ({ ...job, id }));
    const { body } = await send(serve({ jobs, meta: { total: 53 } }));
    expect([body.drafts.length, body.left_out]).toEqual([50, 3]);
    for (const empty of [[], { jobs: [], meta: { total: 0 } }])
      expect((await send(serve(empty))).body).toEqual({ drafts: [], left_out: 0 });
  });

  it('are compared with the job that has their reference, and nothing changes before somebody accepts it', async () => {
    const { drafts } = (await send(serve(buildLeverBoard()))).body;
    const { external_ref, title, outcome_description, trait_priorities, remote_policy } = drafts[0];
    const job = { external_ref, title, outcome_description, trait_priorities, remote_policy, ...salary };
    const created = await app.request('POST', '/orgs/me/jobs', { token: admin.token, body: job });
    const { id } = created.body;
    const read = async (token?: string) => (await send(`${server}/board`, token)).body.drafts[0].job;
    expect(await read()).toEqual({ id, title, status: 'active', current: {}, posted: {} });
    const [posting] = buildLeverBoard();
    serve([{ ...posting, text: 'Night nurse', salaryRange: { ...posting!.salaryRange, max: 99_000 } }]);
    const changed = await read();
    expect(changed).toMatchObject({
      current: { title: 'Ward nurse', salary_max: 96_000 },
      posted: { title: 'Night nurse', salary_max: 99_000 },
    });
    expect(Object.keys(changed.posted)).toEqual(['title', 'salary_min', 'salary_max', 'salary_currency']);
    const readTitle = async () =>
      (await app.request('GET', `/orgs/me/jobs/${id}`, { token: admin.token })).body.title;
    expect(await readTitle()).toBe('Ward nurse');
    const other = await app.registerOrgAdmin();
    expect(await read(other.token)).toBeNull();
    const accepted = await app.request('PATCH', `/orgs/me/jobs/${id}`, {
      token: admin.token,
      body: changed.posted,
    });
    expect([accepted.status, await readTitle(), (await read()).posted]).toEqual([200, 'Night nurse', {}]);
  });
});

describe('what is no board or page', () => {
  it('is refused with the field and one reason, and nothing is stored', async () => {
    const count = async () =>
      (await app.sql.one(sql<{ jobs: number }>`select count(*)::int as jobs from jobs`)).jobs;
    const before = await count();
    const cases: readonly (readonly [string, string])[] = [
      [serve('<html><body>Careers</body></html>', '/html'), 'publishes neither'],
      [serve('{"jobs": [', '/broken'), 'publishes neither'],
      [serve({ jobs: [buildGreenhouseBoard().jobs[0], { id: 7 }] }, '/half'), 'publishes neither'],
      [serve([...buildLeverBoard(), 'nurse'], '/half-lever'), 'publishes neither'],
      [serve(`${buildJobPage()}${' '.repeat(1_000_000)}`, '/megabyte'), 'sends a response that is too large'],
      [`${server}/unknown`, 'is not a page or board that exists'],
      ['nurse', 'must be an https URL'],
      ['file:///etc/passwd', 'must be an https URL'],
    ];
    replies.set('/error', { status: 500 });
    replies.set('/latin', { body: Buffer.from('<p>caf\xe9</p>', 'latin1') });
    replies.set('/loop', { status: 302, location: '/loop' });
    for (const [url, reason] of [
      ...cases,
      [`${server}/error`, 'replies with status 500'],
      [`${server}/latin`, 'must be text in UTF-8'],
      [`${server}/loop`, 'redirects too often'],
    ] as const)
      expect([url, await readRefusal(url)]).toEqual([url, [422, '/url', expect.stringContaining(reason)]]);
    expect(await count()).toBe(before);
  });

  it('is not reached inside the network, neither at first nor by a redirect', async () => {
    const { fetchOutbound } = app.platform;
    const inside = serve(buildGreenhouseBoard(), '/inside').replace('127.0.0.1', '127.0.0.2');
    replies.set('/inwards', { status: 302, location: inside });
    const isAllowed = (address: string) => address === '127.0.0.1';
    Object.assign(app.platform, { fetchOutbound: createFetchOutbound({ allowPrivate: true, isAllowed }) });
    try {
      for (const url of [inside, `${server}/inwards`])
        expect(await readRefusal(url)).toEqual([
          422,
          '/url',
          expect.stringContaining('not on the public internet'),
        ]);
    } finally {
      Object.assign(app.platform, { fetchOutbound });
    }
  });

  it('is for administrators of an organisation', async () => {
    const url = serve(buildGreenhouseBoard());
    expect((await send(url, '')).status).toBe(401);
    expect((await send(url, (await app.registerMember()).token)).body.code).toBe('role_not_allowed');
  });
});

describe('the address at which people read a board', () => {
  it('leads to where its jobs are published as JSON', () => {
    const found = [
      'https://boards.greenhouse.io/acme',
      'https://job-boards.eu.greenhouse.io/acme/',
      'https://jobs.lever.co/Acme-1?team=x',
      'https://jobs.eu.lever.co/acme',
      'https://jobs.ashbyhq.com/The%20Acme%20Co',
    ].map(findBoardAddress);
    expect(found).toEqual([
      'https://boards-api.greenhouse.io/v1/boards/acme/jobs?content=true',
      'https://boards-api.greenhouse.io/v1/boards/acme/jobs?content=true',
      'https://api.lever.co/v0/postings/Acme-1?mode=json',
      'https://api.eu.lever.co/v0/postings/acme?mode=json',
      'https://api.ashbyhq.com/posting-api/job-board/The%20Acme%20Co?includeCompensation=true',
    ]);
    for (const other of ['https://jobs.lever.co/acme/5ac21346', 'https://example.org/jobs', 'nurse'])
      expect(findBoardAddress(other)).toBe(other);
  });

  it('is refused without a name, or with one that no board has', async () => {
    for (const name of ['', '%2e%2e%2f', 'a%2Fb', 'a%3Fb=c', '%', '.hidden', 'x'.repeat(101), 'a%00'])
      expect([name, await readRefusal(`https://jobs.lever.co/${name}`)]).toEqual([
        name,
        [422, '/url', 'must end with the name of a board: https://jobs.lever.co/name'],
      ]);
  });
});
