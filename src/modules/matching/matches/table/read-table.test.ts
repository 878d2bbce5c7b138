import { beforeEach, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, unknownId, type TestApp } from '#test/harness.ts';
import { createJob, fillMeans, fillSlots, insertMembers } from '#test/modules/matching.ts';

const app = await startApp();
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let job_id: string;
beforeEach(async () => {
  org = await app.registerOrgAdmin();
});

const minutes = 60_000;
const traitPairs = ['persistence', 'analytical_depth'] as const;
const priorities = { persistence: 1, analytical_depth: 0.6, sincerity: 0.3 };

async function createJobWithPeople(): Promise<void> {
  await insertMembers(
    app,
    [2, 1.6, 0.9].map((fit) => ({
      mean: fillMeans(fit, ['persistence', 'analytical_depth']),
      variance: fillSlots(0.15),
    })),
  );
  job_id = await createJob(app, org.token, priorities);
  await app.drainQueue();
}

const read = (query = '', token = org.token) =>
  app.request('GET', `/orgs/me/jobs/${job_id}/table?limit=100${query}`, { token });
const visit = (token = org.token) => app.request('POST', `/orgs/me/jobs/${job_id}/visits`, { token });

test('a row says what the explanation, the requirements and the note of its match say, in the order of the list', async () => {
  await createJobWithPeople();
  await app.sql.run(sql`delete from match_explanations`);
  const first = await read();
  expect(first.body.task_id).toEqual(expect.any(String));
  expect(first.body.data.every((row: { priorities: unknown }) => row.priorities === null)).toBe(true);
  expect((await read()).body.task_id).toBeNull();
  await app.drainQueue();
  const [{ match }] = first.body.data;
  const noted = { note: 'Call on Monday.', labels: ['second round'] };
  await app.request('PUT', `/matches/${match.id}/note`, { token: org.token, body: noted });

  const { body } = await read();
  const list = await app.request('GET', `/orgs/me/jobs/${job_id}/matches?limit=100`, { token: org.token });
  expect(body.data.map((row: { match: object }) => row.match)).toEqual(list.body.data);
  expect(body.pagination).toEqual(list.body.pagination);
  for (const row of body.data) {
    const get = (path: string) =>
      app.request('GET', `/matches/${row.match.id}/${path}`, { token: org.token });
    const explanation = (await get('explanation')).body;
    expect(row.priorities).toHaveLength(2);
    for (const { reason } of row.priorities) expect(explanation.summary_text).toContain(reason);
    expect(row.confidence_statement).toBe(explanation.confidence_statement);
    expect(row.requirements).toEqual((await get('requirements')).body.requirements);
    expect({ note: row.note, labels: row.labels }).toEqual((await get('note')).body);
  }
  expect(body.labels).toEqual(['second round']);
});

test('labels, turns, tiers and statuses filter, and a cursor leads through all rows once', async () => {
  await createJobWithPeople();
  const { data } = (await read()).body;
  const [one, other] = data.map((row: { match: { id: string } }) => row.match.id);
  await app.request('PUT', `/matches/${other}/note`, { token: org.token, body: { labels: ['can travel'] } });
  await app.request('PUT', `/matches/${one}/status`, {
    token: org.token,
    body: { status: 'org_interested' },
  });
  const listIds = async (query: string) =>
    (await read(query)).body.data.map((row: { match: { id: string } }) => row.match.id);
  expect(await listIds('&label=can%20travel')).toEqual([other]);
  expect(await listIds('&label=unknown')).toEqual([]);
  expect(await listIds('&waits_for=member')).toEqual([one]);
  expect(await listIds('&waits_for=organisation')).not.toContain(one);
  expect(await listIds('&waits_for=member&status=pending_review')).toEqual([]);
  expect(await listIds('&is_new=true')).toEqual([]);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/table?limit=1&cursor=${cursor}`, {
      token: org.token,
    });
    seen.push(...body.data.map((row: { match: { id: string } }) => row.match.id));
    cursor = body.pagination.next_cursor;
  } while (cursor);
  expect(seen).toEqual(data.map((row: { match: { id: string } }) => row.match.id));
});

test('an order is that of all people, whatever the length of the pages, and writes what it needs to know', async () => {
  const means = [1.2, 0.1, 2, 0.2, 1.6, 0.9].map((fit, place) =>
    fillMeans(fit, [traitPairs[place % 2]!, 'autonomy_drive']),
  );
  await insertMembers(
    app,
    means.map((mean) => ({ mean, variance: fillSlots(0.15) })),
  );
  job_id = await createJob(app, org.token, priorities);
  await app.drainQueue();
  await app.sql.run(sql`delete from match_explanations`);
  const readOrdered = (query: string) =>
    app.request('GET', `/orgs/me/jobs/${job_id}/table?${query}`, { token: org.token });
  const first = (await readOrdered('limit=1&sort=asked')).body;
  expect(first).toMatchObject({ is_being_written: true, task_id: expect.any(String) });
  await app.drainQueue();
  const { data, pagination, is_being_written } = (await readOrdered('limit=100&sort=asked')).body;
  expect([is_being_written, data.length]).toEqual([false, pagination.total_count]);
  const ranks = data.map(({ priorities: known }: { priorities: { state: string }[] }) =>
    known.map(({ state }) => ['strength', 'unclear', 'growth', 'not_described'].indexOf(state)).join(''),
  );
  expect(ranks).toEqual(ranks.toSorted());
  expect(new Set(ranks).size).toBeGreaterThan(1);
  const seen = [];
  for (let cursor = ''; cursor !== null;) {
    const { body } = await readOrdered(`limit=2&sort=asked&cursor=${cursor}`);
    seen.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  expect(seen).toEqual(data);
  const [{ match }] = data.slice(-1);
  await app.request('PUT', `/matches/${match.id}/note`, { token: org.token, body: { labels: ['call'] } });
  expect((await readOrdered('limit=1&sort=labels')).body.data[0].match.id).toBe(match.id);
  const { next_cursor } = (await readOrdered('limit=1&sort=labels')).body.pagination;
  expect((await readOrdered(`limit=1&sort=asked&cursor=${next_cursor}`)).body.code).toBe('cursor_invalid');
  const bad = await readOrdered('sort=suitability');
  expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/sort']);
});

test('people who were added after the last visit are new, for each user alone', async () => {
  await createJobWithPeople();
  expect((await visit()).body).toEqual({ job_id, new_since: null });
  app.clock.advance(20 * minutes);
  expect((await visit()).body.new_since).toBeNull();
  const ended = app.clock.now().toISOString();
  app.clock.advance(31 * minutes);
  const mean = fillMeans(2, ['persistence', 'analytical_depth']);
  const newcomer = await app.registerDeployedMember({ mean });
  await app.drainQueue();
  expect(newcomer.member_id).toEqual(expect.any(String));
  expect((await visit()).body.new_since).toBe(ended);
  const { data } = (await read('&is_new=true')).body;
  expect(data.map((row: { is_new: boolean }) => row.is_new)).toEqual([true]);
  const fresh = (await read()).body.data.filter((row: { is_new: boolean }) => row.is_new);
  expect(fresh).toEqual(data);
  const viewer = await createColleague(app, org.org_id, 'org_viewer');
  expect((await read('&is_new=true', viewer.token)).body).toMatchObject({ data: [], new_since: null });
});

test('refuses bad input, strangers, members, auditors, operators and other organisations', async () => {
  job_id = await createJob(app, org.token);
  const [member, operator, other] = [
    await app.registerMember(),
    await app.registerPlatformAdmin(),
    await app.registerOrgAdmin(),
  ];
  const auditor = await createColleague(app, org.org_id, 'auditor');
  const bad = await read(`&label=${'x'.repeat(41)}&waits_for=nobody`);
  expect([bad.status, bad.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()]).toEqual(
    [422, ['/label', '/waits_for']],
  );
  expect((await app.request('GET', `/orgs/me/jobs/${job_id}/table`)).status).toBe(401);
  for (const { token } of [member, operator, auditor]) {
    expect((await read('', token)).body.code).toBe('role_not_allowed');
    expect((await visit(token)).body.code).toBe('role_not_allowed');
  }
  expect((await read('', other.token)).body.code).toBe('job_not_found');
  expect((await visit(other.token)).body.code).toBe('job_not_found');
  job_id = unknownId;
  expect((await read()).body.code).toBe('job_not_found');
});
