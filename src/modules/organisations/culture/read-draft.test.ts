import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { buildAnswers } from '#test/modules/culture.ts';
import { runTask } from '#test/modules/matching.ts';
import { logInAgain } from '#test/users.ts';
import { forgetDrafts } from './forget-drafts.ts';

const app = await startApp();
const path = '/orgs/me/culture-profile/draft';
const day_ms = 86_400_000;
const nothing = { braving: {}, cvf: {} };

const save = (token: string | undefined, answers: object) =>
  app.request('PATCH', path, { ...(token !== undefined && { token }), body: { answers } });
const read = async (token: string) => (await app.request('GET', path, { token })).body;
const listStored = (user_id: string) =>
  app.sql.list(sql`select from culture_drafts where user_id = ${user_id}`);

test('nobody but the respondent reads them, and no profile contains them', async () => {
  const { token, org_id } = await app.registerOrgAdmin();
  await save(token, buildAnswers(4));
  const colleague = await createColleague(app, org_id, 'org_admin');
  expect((await read(colleague.token)).answers).toEqual(nothing);
  const { body } = await app.request('GET', '/orgs/me/culture-profile/questionnaire', {
    token: colleague.token,
  });
  expect([body.respondents_missing, body.answered_at]).toEqual([5, null]);
  const logged = await app.sql.list(
    sql`select from audit_log where org_id = ${org_id} and action like 'culture%'`,
  );
  expect(logged).toEqual([]);
});

test('a draft ends a month after its last answer, and is then deleted', async () => {
  const org = await app.registerOrgAdmin();
  const { token, user_id } = org;
  await save(token, { braving: { vault_01: 3 }, cvf: {} });
  app.clock.advance(30 * day_ms + 1);
  const fresh = await logInAgain(app, org);
  expect((await read(fresh)).answers).toEqual(nothing);
  expect(await listStored(user_id)).toHaveLength(1);
  const later = await save(fresh, { braving: { integrity_01: 2 }, cvf: {} });
  expect(later.body.answers).toEqual({ braving: { integrity_01: 2 }, cvf: {} });
  app.clock.advance(30 * day_ms + 1);
  await runTask(app, forgetDrafts, {});
  expect(await listStored(user_id)).toEqual([]);
});

test('strangers, members and platform administrators have no draft', async () => {
  expect((await app.request('GET', path)).status).toBe(401);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await app.request('GET', path, { token })).body.code).toBe('role_not_allowed');
});
