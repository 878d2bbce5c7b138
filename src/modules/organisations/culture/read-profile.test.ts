import { describe, expect, test } from 'vitest';
import { findCultureProfile } from '#modules/organisations/culture';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { createColleague } from '#test/colleague.ts';
import { submitAnswers, buildAnswers, createStaff } from '#test/modules/culture.ts';

const app = await startApp();

const read = (token?: string, query = '') =>
  app.request('GET', `/orgs/me/culture-profile${query}`, { ...(token && { token }) });

test('returns the seven dimensions of BRAVING, the four quadrants and the version', async () => {
  proves('culture-profile-contents', 'culture-profile-get-endpoint-jwt');
  const { org_id, users } = await createStaff(app);
  for (const [agreement, { token }] of users.entries())
    await submitAnswers(app, token, buildAnswers(agreement));
  const expected = {
    version: 1,
    questionnaire_version: 'culture-2',
    basis: 'measured',
    respondents: 5,
    braving: {
      boundaries: 0.5,
      reliability: 0.5,
      accountability: 0.5,
      vault: 0.5,
      integrity: 0.5,
      nonjudgment: 0.5,
      generosity: 0.5,
    },
    cvf: { clan: 0.5, adhocracy: 1 / 3, market: 1 / 6, hierarchy: 0 },
    computed_at: app.clock.now().toISOString(),
  };
  for (const { token } of users) {
    const { status, body } = await read(token);
    expect(status).toBe(200);
    expect(body).toEqual(expected);
  }
  expect(await findCultureProfile(app.sql, org_id)).toEqual({
    ...expected,
    org_id,
    computed_at: app.clock.now(),
  });
});

test('returns the latest version by default, and older versions by number', async () => {
  proves('culture-profile-version-query-integer');
  const { org_id, admin, users } = await createStaff(app);
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
  const first = await read(admin.token);
  app.clock.advance(3_600_000);
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(0));
  const latest = await read(admin.token);
  expect(latest.body).toMatchObject({ version: 2, braving: { vault: 0 } });
  expect((await read(admin.token, '?version=1')).body).toEqual(first.body);
  expect((await read(admin.token, '?version=2')).body).toEqual(latest.body);
  expect((await findCultureProfile(app.sql, org_id, 1))?.braving.vault).toBe(1);
});

test('says only how many respondents are missing until five users have answered', async () => {
  const { org_id, token } = await app.registerOrgAdmin();
  const readRefusal = async () => {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([404, 'culture_profile_not_ready']);
    return body.detail as string;
  };
  expect(await readRefusal()).toBe(
    'At least 5 users must answer the culture questionnaire; still missing: 5.',
  );
  await submitAnswers(app, token, buildAnswers(4));
  for (const _ of [1, 2, 3])
    await submitAnswers(app, (await createColleague(app, org_id)).token, buildAnswers(0));
  expect(await readRefusal()).toBe(
    'At least 5 users must answer the culture questionnaire; still missing: 1.',
  );
});

test('replies 404 for a version that does not exist, even before the first', async () => {
  const { admin, users } = await createStaff(app);
  expect((await read(admin.token, '?version=1')).body.code).toBe('culture_profile_not_found');
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
  const { status, body } = await read(admin.token, '?version=2');
  expect([status, body.code]).toEqual([404, 'culture_profile_not_found']);
});

test('an organisation cannot read the profile of another organisation', async () => {
  const { users } = await createStaff(app);
  for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
  const { token } = await app.registerOrgAdmin();
  expect((await read(token)).body.code).toBe('culture_profile_not_ready');
  expect((await read(token, '?version=1')).body.code).toBe('culture_profile_not_found');
});

describe('the database', () => {
  test('refuses to update or delete a published version', async () => {
    const { org_id, users } = await createStaff(app);
    for (const { token } of users) await submitAnswers(app, token, buildAnswers(4));
    await expect(
      app.sql.run(sql`update culture_profiles set respondents = 6 where org_id = ${org_id}`),
    ).rejects.toThrow('append-only');
    await expect(app.sql.run(sql`delete from culture_profiles where org_id = ${org_id}`)).rejects.toThrow(
      'append-only',
    );
  });

  test('refuses a profile of four respondents', async () => {
    const { org_id } = await app.registerOrgAdmin();
    await expect(
      app.sql.run(sql`
        insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
        values (${org_id}, 1, 'culture-2', 4, '{}', '{}', ${app.clock.now()})`),
    ).rejects.toThrow('respondents');
  });
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await read();
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('refuses members and platform administrators', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test.each(['0', '-1', 'one', '1.5', '9999999'])('rejects the version %s', async (version) => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await read(token, `?version=${version}`);
  expect([status, body.errors[0].pointer]).toEqual([422, '/version']);
});
