import { beforeAll, expect, test } from 'vitest';
import { queryCategories } from './rules.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const read = (token: string) => app.request('GET', '/orgs/queries/consent/config', { token });
const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1' } });
const approve = (token: string, category: string, approved = true) =>
  app.request('PUT', '/orgs/queries/consent/category', { token, body: { category, approved } });

test('a member who never decided sells nothing, and sees every category', async () => {
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

test('level and approvals follow every decision on the very next read, up to full and back', async () => {
  proves('consent-config-endpoint-jwt');
  const { token } = await app.registerMember();
  const level = async () => (await read(token)).body.consent_level;
  await decide(token, 'assessment_data', true);
  expect(await level()).toBe('basic');
  await decide(token, 'identity_queries', true);
  expect(await level()).toBe('selective');
  for (const category of queryCategories) await approve(token, category);
  expect(await level()).toBe('full');
  expect((await app.request('GET', '/members/me/consent', { token })).body.consent_level).toBe('full');
  await approve(token, 'alignment', false);
  expect(await level()).toBe('selective');
});

test.each(['assessment_data', 'identity_queries'])(
  'withdrawing %s takes every approval with it, and granting it again brings none back',
  async (consent_type) => {
    const { token } = await app.registerMember();
    await decide(token, 'assessment_data', true);
    await decide(token, 'identity_queries', true);
    await approve(token, 'archetype');
    const approved = async () =>
      (await read(token)).body.categories.some((each: { approved: boolean }) => each.approved);
    expect(await approved()).toBe(true);
    await decide(token, consent_type, false);
    expect(await approved()).toBe(false);
    await decide(token, consent_type, true);
    expect(await approved()).toBe(false);
  },
);

test('withdrawing another type leaves the approvals alone', async () => {
  const { token } = await app.registerMember();
  for (const type of ['assessment_data', 'identity_queries', 'matching']) await decide(token, type, true);
  await approve(token, 'archetype');
  await decide(token, 'matching', false);
  expect((await read(token)).body.categories[0]).toMatchObject({ category: 'archetype', approved: true });
});

test('each member reads their own, never another one’s', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await decide(one.token, 'assessment_data', true);
  expect((await read(other.token)).body.consent_level).toBe('none');
});

test('a field that the request does not know is refused', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/orgs/queries/consent/config?member_id=1', { token })).status).toBe(422);
});

test('nobody reads it without signing in, and nobody but a member', async () => {
  const { status, body } = await app.request('GET', '/orgs/queries/consent/config');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const refused = await read(token);
    expect([refused.status, refused.body.code]).toEqual([403, 'role_not_allowed']);
  }
});
