import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { buildAnswers } from '#test/modules/culture.ts';

const app = await startApp();
const path = '/orgs/me/culture-profile/draft';
const day_ms = 86_400_000;
const nothing = { braving: {}, cvf: {} };

const save = (token: string | undefined, answers: object) =>
  app.request('PATCH', path, { ...(token !== undefined && { token }), body: { answers } });
const read = async (token: string) => (await app.request('GET', path, { token })).body;
const listStored = (user_id: string) =>
  app.sql.list(sql`select from culture_drafts where user_id = ${user_id}`);

test('answers are saved as they come, and the later answer to the same item counts', async () => {
  const { token } = await app.registerOrgAdmin();
  expect(await read(token)).toMatchObject({ answers: nothing, saved_at: null, kept_until: null });
  await save(token, { braving: { vault_01: 3, integrity_01: 1 }, cvf: {} });
  app.clock.advance(1_000);
  const order = ['d', 'c', 'b', 'a'];
  const saved = await save(token, { braving: { vault_01: 0 }, cvf: { bond: order } });
  const now = app.clock.now();
  expect(saved).toMatchObject({
    status: 200,
    body: {
      questionnaire_version: 'culture-2',
      answers: { braving: { vault_01: 0, integrity_01: 1 }, cvf: { bond: order } },
      saved_at: now.toISOString(),
      kept_until: new Date(now.getTime() + 30 * day_ms).toISOString(),
    },
  });
  expect(await read(token)).toEqual(saved.body);
});

test('answers that two devices save at the same time are all kept', async () => {
  const { token } = await app.registerOrgAdmin();
  const { braving } = buildAnswers(3);
  await Promise.all(
    Object.entries(braving).map(([id, option]) => save(token, { braving: { [id]: option }, cvf: {} })),
  );
  expect((await read(token)).answers.braving).toEqual(braving);
});

describe('names the field of a wrong answer, and saves nothing:', () => {
  test.each<[string, unknown, string]>([
    ['an unknown item', { braving: { x_01: 1 }, cvf: {} }, '/answers/braving/x_01'],
    ['a step above the highest', { braving: { vault_01: 5 }, cvf: {} }, '/answers/braving/vault_01'],
    ['an incomplete order', { braving: {}, cvf: { bond: ['a', 'b'] } }, '/answers/cvf/bond'],
    ['a missing part', { braving: {} }, '/answers/cvf'],
  ])('%s', async (_, answers, pointer) => {
    const { token, user_id } = await app.registerOrgAdmin();
    const { status, body } = await save(token, answers as object);
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'field_invalid', pointer]);
    expect(await listStored(user_id)).toEqual([]);
  });
});

test('strangers, members and platform administrators cannot save a draft', async () => {
  expect((await save(undefined, nothing)).status).toBe(401);
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await save(token, nothing)).body.code).toBe('role_not_allowed');
});
