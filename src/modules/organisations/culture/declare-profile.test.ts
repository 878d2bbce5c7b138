import { describe, expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { createColleague } from '#test/colleague.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { buildAnswers, submitAnswers } from '#test/modules/culture.ts';
import { createMatch } from '#test/modules/feedback.ts';
import { logInAgain } from '#test/users.ts';

const app = await startApp();
const path = '/orgs/me/culture-profile/declaration';
const day_ms = 86_400_000;
const declared = {
  braving: {
    boundaries: 3,
    reliability: 4,
    accountability: 2,
    vault: 0,
    integrity: 1,
    nonjudgment: 2,
    generosity: 3,
  },
  cvf: ['hierarchy', 'clan', 'market', 'adhocracy'],
};

type Org = Awaited<ReturnType<TestApp['registerOrgAdmin']>>;

const declareProfile = ({ token }: { readonly token: string }, body: object = declared) =>
  app.request('POST', path, { token, body });
const readTerms = async ({ token }: { readonly token: string }) =>
  (await app.request('GET', path, { token })).body;
const readProfile = async ({ token }: { readonly token: string }, query = '') =>
  (await app.request('GET', `/orgs/me/culture-profile${query}`, { token })).body;

/** Adds colleagues until the organisation has this many users. */
async function addColleagues({ org_id }: Org, users: number) {
  const added = [];
  while (added.length + 1 < users) added.push(await createColleague(app, org_id));
  return added;
}

test('fewer than five people declare a profile, which is marked and has no respondents', async () => {
  const org = await app.registerOrgAdmin();
  await addColleagues(org, 4);
  const { status, body } = await declareProfile(org);
  expect([status, body]).toEqual([
    201,
    {
      version: 1,
      questionnaire_version: 'culture-2',
      basis: 'declared',
      respondents: 0,
      braving: {
        boundaries: 0.75,
        reliability: 1,
        accountability: 0.5,
        vault: 0,
        integrity: 0.25,
        nonjudgment: 0.5,
        generosity: 0.75,
      },
      cvf: { hierarchy: 0.5, clan: 1 / 3, market: 1 / 6, adhocracy: 0 },
      computed_at: app.clock.now().toISOString(),
    },
  ]);
  expect(await readProfile(org)).toEqual(body);
  const entries = await app.sql.list(
    sql`select actor_user_id, detail from audit_log where org_id = ${org.org_id} and action = 'culture.profile_declared'`,
  );
  expect(entries).toEqual([{ actor_user_id: org.user_id, detail: { version: 1 } }]);
});

test('five people or more answer the questionnaire instead', async () => {
  const org = await app.registerOrgAdmin();
  await addColleagues(org, 5);
  expect((await declareProfile(org)).body.code).toBe('culture_declaration_too_many_users');
  expect(await readTerms(org)).toEqual({
    refused: 'culture_declaration_too_many_users',
    possible_from: null,
  });
});

test('a declaration stands for a week, and the next one is another version', async () => {
  const org = await app.registerOrgAdmin();
  expect(await readTerms(org)).toEqual({ refused: null, possible_from: null });
  await declareProfile(org);
  const possible_from = new Date(app.clock.now().getTime() + 7 * day_ms).toISOString();
  app.clock.advance(7 * day_ms - 1);
  const later = { token: await logInAgain(app, org) };
  const early = await declareProfile(later);
  expect([early.status, early.body.code, early.headers['retry-after']]).toEqual([
    409,
    'culture_declaration_too_soon',
    '1',
  ]);
  expect(await readTerms(later)).toEqual({ refused: 'culture_declaration_too_soon', possible_from });
  app.clock.advance(1);
  expect((await declareProfile(later)).body).toMatchObject({ version: 2, basis: 'declared' });
  expect((await readProfile(later, '?version=1')).version).toBe(1);
});

test('the answers of five people replace a declaration, and no declaration replaces them', async () => {
  const org = await app.registerOrgAdmin();
  await submitAnswers(app, org.token, buildAnswers(4));
  await declareProfile(org);
  const others = await addColleagues(org, 5);
  for (const [index, { token }] of others.entries()) {
    const { respondents_missing } = await submitAnswers(app, token, buildAnswers(4));
    // The declaration contains no answers, so those from before it still count.
    expect(respondents_missing).toBe(index < 3 ? 3 - index : 5);
  }
  expect(await readProfile(org)).toMatchObject({ version: 2, basis: 'measured', respondents: 5 });
  for (const { user_id } of others)
    await app.sql.run(sql`update users set suspended_at = now() where id = ${user_id}`);
  expect((await declareProfile(org)).body.code).toBe('culture_declaration_measured');
});

test('of two declarations at the same time one is published', async () => {
  const org = await app.registerOrgAdmin();
  const codes = (await Promise.all([declareProfile(org), declareProfile(org)])).map(
    ({ status, body }) => body.code ?? status,
  );
  expect(new Set(codes)).toEqual(new Set([201, 'culture_declaration_too_soon']));
});

test('members, explanations and belonging say that it is declared, until it is measured', async () => {
  const { org, member, match_id } = await createMatch(app);
  const read = async ({ token }: { readonly token: string }, of: string) =>
    (await app.request('GET', `/matches/${match_id}/${of}`, { token })).body;
  await declareProfile(org);
  await app.drainQueue();
  await read(org, 'explanation');
  await app.drainQueue();
  for (const reader of [org, member]) {
    const explanation = await read(reader, 'explanation');
    expect(explanation.belonging_basis).toBe('declared');
    expect(explanation.summary_text).toContain('what it declares about itself');
  }
  expect((await read(member, 'job')).organisation.culture).toMatchObject({
    basis: 'declared',
    values: ['By its own account, order and reliable processes count most here.'],
  });
  for (const { token } of [org, ...(await addColleagues(org, 5))])
    await submitAnswers(app, token, buildAnswers(4));
  await app.drainQueue();
  await read(org, 'explanation');
  await app.drainQueue();
  expect(await read(org, 'explanation')).toMatchObject({ belonging_basis: 'measured' });
  expect((await read(member, 'job')).organisation.culture.basis).toBe('measured');
});

describe('names the field of a wrong declaration, and publishes nothing:', () => {
  test.each<[string, object, string]>([
    [
      'a missing dimension',
      { ...declared, braving: { ...declared.braving, vault: undefined } },
      '/braving/vault',
    ],
    [
      'a step above the highest',
      { ...declared, braving: { ...declared.braving, vault: 5 } },
      '/braving/vault',
    ],
    ['a value that appears twice', { ...declared, cvf: ['clan', 'clan', 'market', 'hierarchy'] }, '/cvf'],
    ['an unknown value', { ...declared, cvf: ['x', 'clan', 'market', 'hierarchy'] }, '/cvf/0'],
  ])('%s', async (_, body, pointer) => {
    const org = await app.registerOrgAdmin();
    const reply = await declareProfile(org, body);
    expect([reply.status, reply.body.code, reply.body.errors[0].pointer]).toEqual([
      422,
      'field_invalid',
      pointer,
    ]);
    expect((await readProfile(org)).code).toBe('culture_profile_not_ready');
  });
});

test('only administrators declare, and all users of the organisation read the terms', async () => {
  const { org_id } = await app.registerOrgAdmin();
  const viewer = await createColleague(app, org_id);
  expect((await readTerms(viewer)).refused).toBe(null);
  for (const each of [viewer, await app.registerMember(), await app.registerPlatformAdmin()])
    expect((await declareProfile(each)).body.code).toBe('role_not_allowed');
  expect((await app.request('POST', path, { body: declared })).status).toBe(401);
});
