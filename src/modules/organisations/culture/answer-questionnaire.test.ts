import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { submitAnswers, buildAnswers, createStaff } from '#test/modules/culture.ts';

const app = await startApp();

const path = '/orgs/me/culture-profile/responses';
const readProfile = (token: string, query = '') =>
  app.request('GET', `/orgs/me/culture-profile${query}`, { token });
const listStoredResponses = (org_id: string) =>
  app.sql.list(sql`select * from culture_responses where org_id = ${org_id} order by user_id`);

test('stores only the points of a respondent’s answers', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const body = await submitAnswers(app, token, buildAnswers(3));
  expect(body).toEqual({
    questionnaire_version: 'culture-2',
    answered_at: app.clock.now().toISOString(),
    profile_version: null,
    respondents_missing: 4,
  });
  expect(await listStoredResponses(org_id)).toEqual([
    {
      user_id,
      questionnaire_version: 'culture-2',
      org_id,
      braving_points: Array(7).fill(12),
      cvf_points: [18, 12, 6, 0],
      answered_at: app.clock.now(),
      published_in: null,
    },
  ]);
});

test('accepts answers of administrators, viewers and auditors, and publishes the first profile with the fifth', async () => {
  const { users } = await createStaff(app);
  for (const [index, { token }] of users.entries()) {
    const { respondents_missing, profile_version } = await submitAnswers(app, token, buildAnswers(index));
    expect([respondents_missing, profile_version]).toEqual(index < 4 ? [4 - index, null] : [5, 1]);
  }
});

test('a second submission replaces the first and does not count as another respondent', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await submitAnswers(app, token, buildAnswers(0));
  expect((await submitAnswers(app, token, buildAnswers(4))).respondents_missing).toBe(4);
  expect(await listStoredResponses(org_id)).toMatchObject([{ braving_points: Array(7).fill(16) }]);
});

test('publishes the next version only with five respondents who are in no version, so that no difference reveals one of them', async () => {
  const { org_id, admin, users } = await createStaff(app);
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
  const first = await readProfile(admin.token);
  // Unchanged answers do not count again.
  expect((await submitAnswers(app, users[1]!.token, buildAnswers(4))).respondents_missing).toBe(5);
  for (const missing of [4, 3, 2, 1]) {
    const { token } = await createColleague(app, org_id);
    expect(await submitAnswers(app, token, buildAnswers(0))).toMatchObject({
      respondents_missing: missing,
      profile_version: 1,
    });
    expect((await readProfile(admin.token)).body).toEqual(first.body);
  }
  // One of the first five respondents changes their answers and is the fifth.
  expect(await submitAnswers(app, users[2]!.token, buildAnswers(0))).toMatchObject({ profile_version: 2 });
  const { body } = await readProfile(admin.token);
  expect(body).toMatchObject({ version: 2, respondents: 9, braving: { vault: 4 / 9 } });
  expect((await readProfile(admin.token, '?version=1')).body).toEqual(first.body);
});

test('counts all answers that arrive at the same time, and publishes one version', async () => {
  const { admin, users } = await createStaff(app);
  const all = await Promise.all(users.map(({ token }) => submitAnswers(app, token, buildAnswers(2))));
  expect(new Set(all.map(({ respondents_missing }) => respondents_missing))).toEqual(
    new Set([1, 2, 3, 4, 5]),
  );
  expect((await readProfile(admin.token)).body).toMatchObject({ version: 1, respondents: 5 });
});

test('a request retried with its Idempotency-Key gets the same reply and changes nothing', async () => {
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
  expect(await listStoredResponses(org_id)).toMatchObject([{ braving_points: Array(7).fill(4) }]);
});

test('the audit log names each published version and no respondent', async () => {
  const { org_id, users } = await createStaff(app);
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(3));
  const entries = await app.sql.list<Record<string, unknown>>(
    sql`select * from audit_log where org_id = ${org_id} and action like 'culture.%'`,
  );
  expect(entries).toMatchObject([
    { action: 'culture.profile_published', actor_user_id: null, detail: { version: 1, respondents: 5 } },
  ]);
});

describe('names the field of an incomplete or wrong answer, and stores nothing:', () => {
  const good = buildAnswers(2);
  const { vault_03: _left, ...withoutOne } = good.braving;
  const { bond: _block, ...withoutBlock } = good.cvf;
  test.each<[string, unknown, string]>([
    ['no answers', {}, '/answers'],
    ['a missing part', { answers: { braving: good.braving } }, '/answers/cvf'],
    ['a missing item', { answers: { ...good, braving: withoutOne } }, '/answers/braving/vault_03'],
    ['a missing block', { answers: { ...good, cvf: withoutBlock } }, '/answers/cvf/bond'],
    [
      'an unknown item',
      { answers: { ...good, braving: { ...good.braving, x_01: 1 } } },
      '/answers/braving/x_01',
    ],
    [
      'a step above the highest',
      { answers: { ...good, braving: { ...good.braving, vault_01: 5 } } },
      '/answers/braving/vault_01',
    ],
    [
      'a step below the lowest',
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
      'a ranking of three statements',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c'] } } },
      '/answers/cvf/bond',
    ],
    [
      'a statement that appears twice',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c', 'a'] } } },
      '/answers/cvf/bond',
    ],
    [
      'an unknown statement',
      { answers: { ...good, cvf: { ...good.cvf, bond: ['a', 'b', 'c', 'e'] } } },
      '/answers/cvf/bond/3',
    ],
    [
      'another version of the questionnaire',
      { answers: good, questionnaire_version: 'culture-0' },
      '/questionnaire_version',
    ],
    ['an organisation', { answers: good, org_id: 'x' }, '/org_id'],
  ])('%s', async (_, body, pointer) => {
    const { token, org_id } = await app.registerOrgAdmin();
    const response = await app.request('POST', path, { token, body });
    expect([response.status, response.body.code]).toEqual([422, 'field_invalid']);
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await listStoredResponses(org_id)).toEqual([]);
  });
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await app.request('POST', path, { body: { answers: buildAnswers(2) } });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('refuses members and platform administrators', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await app.request('POST', path, { token, body: { answers: buildAnswers(2) } });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

describe('a respondent’s answers', () => {
  test('are deleted with the user; published versions stay, and later ones exclude the answers', async () => {
    const { org_id, admin, users } = await createStaff(app);
    for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
    const user_id = users.at(-1)!.user_id;
    const before = await readProfile(admin.token);
    await app.sql.transaction(async (tx) => {
      await tx.run(
        sql`delete from refresh_tokens where session_id in (select id from sessions where user_id = ${user_id})`,
      );
      await tx.run(sql`delete from sessions where user_id = ${user_id}`);
      await tx.run(sql`delete from users where id = ${user_id}`);
    });
    expect(await listStoredResponses(org_id)).toHaveLength(users.length - 1);
    expect((await readProfile(admin.token)).body).toEqual(before.body);
    for (let joined = 0; joined < 5; joined += 1)
      await submitAnswers(app, (await createColleague(app, org_id)).token, buildAnswers(0));
    expect((await readProfile(admin.token)).body).toMatchObject({ version: 2, respondents: 9 });
  });
});
