import { beforeAll, describe, expect, test } from 'vitest';
import { eraseRespondentData, exportRespondentData } from '#modules/culture';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { submitAnswers, buildAnswers, createStaff } from '#test/modules/culture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const path = '/orgs/me/culture-profile/responses';
const profile = (token: string, query = '') =>
  app.request('GET', `/orgs/me/culture-profile${query}`, { token });
const kept = (org_id: string) =>
  app.sql.list(sql`select * from culture_responses where org_id = ${org_id} order by user_id`);

test('one respondent’s answers are taken, and only points are kept of them', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const body = await submitAnswers(app, token, buildAnswers(3));
  expect(body).toEqual({
    questionnaire_version: 'culture-1',
    answered_at: app.clock.now().toISOString(),
    profile_version: null,
    respondents_missing: 4,
  });
  expect(await kept(org_id)).toEqual([
    {
      user_id,
      questionnaire_version: 'culture-1',
      org_id,
      braving_points: Array(7).fill(12),
      cvf_points: [18, 12, 6, 0],
      answered_at: app.clock.now(),
      published_in: null,
    },
  ]);
});

test('administrators, viewers and auditors answer alike, and the fifth makes the first profile', async () => {
  const { people } = await createStaff(app);
  for (const [index, { token }] of people.entries()) {
    const { respondents_missing, profile_version } = await submitAnswers(app, token, buildAnswers(index));
    expect([respondents_missing, profile_version]).toEqual(index < 4 ? [4 - index, null] : [5, 1]);
  }
});

test('answering again replaces the earlier answers, and is no second respondent', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await submitAnswers(app, token, buildAnswers(0));
  expect((await submitAnswers(app, token, buildAnswers(4))).respondents_missing).toBe(4);
  expect(await kept(org_id)).toMatchObject([{ braving_points: Array(7).fill(16) }]);
});

test('the next version waits for five people whose answers are in none, so that no difference tells one person’s', async () => {
  const { org_id, admin, people } = await createStaff(app);
  for (const { token } of people) await submitAnswers(app, token, buildAnswers(4));
  const first = await profile(admin.token);
  // The same answers again are no news, whoever repeats them.
  expect((await submitAnswers(app, people[1]!.token, buildAnswers(4))).respondents_missing).toBe(5);
  for (const missing of [4, 3, 2, 1]) {
    const { token } = await createColleague(app, org_id);
    expect(await submitAnswers(app, token, buildAnswers(0))).toMatchObject({
      respondents_missing: missing,
      profile_version: 1,
    });
    expect((await profile(admin.token)).body).toEqual(first.body);
  }
  // Somebody of the first five who changes their mind is the fifth.
  expect(await submitAnswers(app, people[2]!.token, buildAnswers(0))).toMatchObject({ profile_version: 2 });
  const { body } = await profile(admin.token);
  expect(body).toMatchObject({ version: 2, respondents: 9, braving: { vault: 4 / 9 } });
  expect((await profile(admin.token, '?version=1')).body).toEqual(first.body);
});

test('answers that arrive at the same moment are all counted, and make one version', async () => {
  const { admin, people } = await createStaff(app);
  const all = await Promise.all(people.map(({ token }) => submitAnswers(app, token, buildAnswers(2))));
  expect(new Set(all.map(({ respondents_missing }) => respondents_missing))).toEqual(
    new Set([1, 2, 3, 4, 5]),
  );
  expect((await profile(admin.token)).body).toMatchObject({ version: 1, respondents: 5 });
});

test('a retried request with its Idempotency-Key is answered the same, and changes nothing', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  const send = (agreement: number) =>
    app.request('POST', path, {
      token,
      body: { answers: buildAnswers(agreement) },
      headers: { 'idempotency-key': 'culture-once' },
    });
  const first = await send(1);
  app.clock.advance(60_000);
  expect((await send(1)).body).toEqual(first.body);
  expect((await send(2)).body.code).toBe('idempotency_key_reused');
  expect(await kept(org_id)).toMatchObject([{ braving_points: Array(7).fill(4) }]);
});

test('the audit log has each version, and nobody who answered', async () => {
  const { org_id, people } = await createStaff(app);
  for (const { token } of people) await submitAnswers(app, token, buildAnswers(3));
  const entries = await app.sql.list<Record<string, unknown>>(
    sql`select * from audit_log where org_id = ${org_id} and action like 'culture.%'`,
  );
  expect(entries).toMatchObject([
    { action: 'culture.profile_published', actor_user_id: null, detail: { version: 1, respondents: 5 } },
  ]);
});

describe('incomplete or wrong answers are refused by name, and nothing is kept:', () => {
  const good = buildAnswers(2);
  const { vault_03: _left, ...withoutOne } = good.braving as Record<string, number>;
  const { bond: _block, ...withoutBlock } = good.cvf as Record<string, unknown>;
  test.each<[string, unknown, string]>([
    ['no answers', {}, '/answers'],
    ['no part', { answers: { braving: good.braving } }, '/answers/cvf'],
    ['an item left out', { answers: { ...good, braving: withoutOne } }, '/answers/braving/vault_03'],
    ['a block left out', { answers: { ...good, cvf: withoutBlock } }, '/answers/cvf/bond'],
    [
      'an item of its own',
      { answers: { ...good, braving: { ...good.braving, x_01: 1 } } },
      '/answers/braving/x_01',
    ],
    [
      'a step too high',
      { answers: { ...good, braving: { ...good.braving, vault_01: 5 } } },
      '/answers/braving/vault_01',
    ],
    [
      'a step below none',
      { answers: { ...good, braving: { ...good.braving, vault_01: -1 } } },
      '/answers/braving/vault_01',
    ],
    [
      'half a step',
      { answers: { ...good, braving: { ...good.braving, vault_01: 1.5 } } },
      '/answers/braving/vault_01',
    ],
    [
      'a step as text',
      { answers: { ...good, braving: { ...good.braving, vault_01: '1' } } },
      '/answers/braving/vault_01',
    ],
    [
      'three places',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c'] } } },
      '/answers/cvf/bond',
    ],
    [
      'a place twice',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c', 'a'] } } },
      '/answers/cvf/bond',
    ],
    [
      'no such statement',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c', 'e'] } } },
      '/answers/cvf/bond/3',
    ],
    [
      'another questionnaire',
      { answers: good, questionnaire_version: 'culture-0' },
      '/questionnaire_version',
    ],
    ['another organisation', { answers: good, org_id: 'x' }, '/org_id'],
  ])('%s', async (_, body, pointer) => {
    const { token, org_id } = await app.registerOrgAdmin();
    const answer = await app.request('POST', path, { token, body });
    expect([answer.status, answer.body.code]).toEqual([422, 'field_invalid']);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await kept(org_id)).toEqual([]);
  });
});

test('nobody answers without signing in', async () => {
  const { status, body } = await app.request('POST', path, { body: { answers: buildAnswers(2) } });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('members and platform admins act for no organisation, and do not answer', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await app.request('POST', path, { token, body: { answers: buildAnswers(2) } });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

describe('a respondent', () => {
  test('can be told what is held, and erased; published versions stay, and later ones are without the answers', async () => {
    const { org_id, admin, people } = await createStaff(app);
    for (const { token } of people) await submitAnswers(app, token, buildAnswers(4));
    const [leaver] = people.slice(-1);
    expect(await exportRespondentData(app.sql, leaver!.user_id)).toEqual([
      {
        name: 'culture_responses',
        rows: [
          {
            questionnaire_version: 'culture-1',
            braving_points: Array(7).fill(16),
            cvf_points: [18, 12, 6, 0],
            answered_at: app.clock.now(),
          },
        ],
      },
    ]);
    const before = await profile(admin.token);
    await app.sql.transaction((tx) => eraseRespondentData(tx, leaver!.user_id));
    expect(await exportRespondentData(app.sql, leaver!.user_id)).toEqual([
      { name: 'culture_responses', rows: [] },
    ]);
    expect((await profile(admin.token)).body).toEqual(before.body);
    for (let joined = 0; joined < 5; joined += 1)
      await submitAnswers(app, (await createColleague(app, org_id)).token, buildAnswers(0));
    expect((await profile(admin.token)).body).toMatchObject({ version: 2, respondents: 9 });
  });

  test('takes the answers along when the user is deleted', async () => {
    const { org_id } = await app.registerOrgAdmin();
    const { token, user_id } = await createColleague(app, org_id);
    await submitAnswers(app, token, buildAnswers(1));
    await app.sql.transaction(async (tx) => {
      await tx.run(
        sql`delete from refresh_tokens where session_id in (select id from sessions where user_id = ${user_id})`,
      );
      await tx.run(sql`delete from sessions where user_id = ${user_id}`);
      await tx.run(sql`delete from users where id = ${user_id}`);
    });
    expect(await kept(org_id)).toEqual([]);
  });
});
