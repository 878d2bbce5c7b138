import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { queryCategories } from './rules.ts';

const app = await startApp();

const read = (token: string) => app.request('GET', '/orgs/queries/consent/config', { token });
const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1.0' } });
const approve = (token: string, category: string, approved = true) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body: { category, approved } });

test('a member who never decided sees every category, none of them approved', async () => {
  proves(
    'consent-config-endpoint-jwt',
    'consent-query-category-fields',
    'consent-category-value-trait-profile',
  );
  const { token } = await app.registerMember();
  const { status, body } = await read(token);
  expect(status).toBe(200);
  expect(body).toEqual({
    consent_level: 'none',
    categories: queryCategories.map((category) => ({ category, approved: false, updated_at: null })),
  });
  expect(queryCategories).toContain('trait_profile');
});

test('the level and the approvals reflect each decision on the next read, up to full and back', async () => {
  proves('consent-config-endpoint-jwt');
  const { token } = await app.registerMember();
  const readLevel = async () => (await read(token)).body.consent_level;
  await decide(token, 'assessment_data', true);
  expect(await readLevel()).toBe('basic');
  await decide(token, 'identity_queries', true);
  expect(await readLevel()).toBe('selective');
  for (const category of queryCategories) await approve(token, category);
  expect(await readLevel()).toBe('full');
  expect((await app.request('GET', '/members/me/consent', { token })).body.consent_level).toBe('full');
  await approve(token, 'alignment', false);
  expect(await readLevel()).toBe('selective');
});

test.each(['assessment_data', 'identity_queries'])(
  'withdrawing %s removes every approval, and granting it again restores none',
  async (consent_type) => {
    const { token } = await app.registerMember();
    await decide(token, 'assessment_data', true);
    await decide(token, 'identity_queries', true);
    await approve(token, 'archetype');
    const hasApproval = async () =>
      (await read(token)).body.categories.some((each: { approved: boolean }) => each.approved);
    expect(await hasApproval()).toBe(true);
    await decide(token, consent_type, false);
    expect(await hasApproval()).toBe(false);
    await decide(token, consent_type, true);
    expect(await hasApproval()).toBe(false);
  },
);

test('withdrawing another type keeps the approvals', async () => {
  const { token } = await app.registerMember();
  for (const type of ['assessment_data', 'identity_queries', 'matching']) await decide(token, type, true);
  await approve(token, 'archetype');
  await decide(token, 'matching', false);
  expect((await read(token)).body.categories[0]).toMatchObject({ category: 'archetype', approved: true });
});

test('a member reads only their own approvals', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await decide(one.token, 'assessment_data', true);
  expect((await read(other.token)).body.consent_level).toBe('none');
});

test('rejects an unknown field', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/orgs/queries/consent/config?member_id=1', { token })).status).toBe(422);
});

test('rejects callers who are anonymous or not members', async () => {
  const { status, body } = await app.request('GET', '/orgs/queries/consent/config');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refusal = await read(token);
    expect([refusal.status, refusal.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
