import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createColleague } from '#test/colleague.ts';
import { buildAnswers, submitAnswers } from '#test/modules/culture.ts';

const app = await startApp();
const path = '/orgs/me/culture-profile/draft';

const save = (token: string | undefined, answers: object) =>
  app.request('PATCH', path, { ...(token !== undefined && { token }), body: { answers } });
const listStored = (user_id: string) =>
  app.sql.list(sql`select from culture_drafts where user_id = ${user_id}`);

test('sending the answers deletes the draft, and so does its respondent', async () => {
  const { token, user_id, org_id } = await app.registerOrgAdmin();
  const colleague = await createColleague(app, org_id);
  for (const each of [token, colleague.token]) await save(each, buildAnswers(1));
  await submitAnswers(app, token, buildAnswers(1));
  expect(await listStored(user_id)).toEqual([]);
  const remove = () => app.request('DELETE', path, { token: colleague.token });
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(204);
  expect(await listStored(colleague.user_id)).toEqual([]);
});

test('strangers, members and platform administrators delete no draft', async () => {
  expect((await app.request('DELETE', path)).status).toBe(401);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await app.request('DELETE', path, { token })).body.code).toBe('role_not_allowed');
});
