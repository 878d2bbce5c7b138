import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const emptyProfile = {
  current_industry: null,
  years_experience: null,
  education_level: null,
  location_country: null,
  location_state: null,
};

const put = (token: string, body: unknown) => app.request('PUT', '/members/me/profile', { token, body });
const readProfile = async (token: string) =>
  (await app.request('GET', '/members/me', { token })).body.profile;

test('stores all five fields and returns the member resource', async () => {
  proves(
    'member-profile-put-endpoint-jwt',
    'member-profile-fields',
    'member-education-level-value-bachelors',
  );
  const { token, member_id } = await app.registerMember();
  const { status, body } = await put(token, filledProfile);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id: member_id, profile: filledProfile });
  expect(body).toEqual((await app.request('GET', '/members/me', { token })).body);
});

test('replaces the whole profile: fields that are left out or null are cleared', async () => {
  const { token } = await app.registerMember();
  await put(token, filledProfile);
  expect((await put(token, { years_experience: 3, current_industry: null })).body.profile).toEqual({
    ...emptyProfile,
    years_experience: 3,
  });
  expect((await put(token, {})).body.profile).toEqual(emptyProfile);
  expect(await readProfile(token)).toEqual(emptyProfile);
});

test('refuses a request without a body and changes nothing', async () => {
  const { token } = await app.registerMember();
  await put(token, filledProfile);
  for (const request of [{ token }, { token, raw: '' }]) {
    const { status, body } = await app.request('PUT', '/members/me/profile', request);
    expect([status, body.code]).toEqual([400, 'body_missing']);
  }
  expect(await readProfile(token)).toEqual(filledProfile);
});

test('accepts a profile exactly as it was read', async () => {
  const { token } = await app.registerMember();
  await put(token, { current_industry: 'mining' });
  const profile = await readProfile(token);
  expect((await put(token, profile)).body.profile).toEqual(profile);
});

test.each([
  ['current_industry', ''],
  ['current_industry', '  '],
  ['current_industry', 'a\u0000b'],
  ['current_industry', 'x'.repeat(101)],
  ['current_industry', 5],
  ['years_experience', -1],
  ['years_experience', 81],
  ['years_experience', 1.5],
  ['years_experience', '7'],
  ['education_level', 'phd'],
  ['education_level', ''],
  ['location_country', 'au'],
  ['location_country', 'AUS'],
  ['location_country', 'AU\n'],
  ['location_state', 'N S'],
  ['location_state', 'NSWX'],
  ['display_name', 'Ada'],
])('rejects %s %j, names the field once and changes nothing', async (field, value) => {
  const { token } = await app.registerMember();
  await put(token, filledProfile);
  const { status, body } = await put(token, { ...filledProfile, [field]: value });
  expect([status, body.code]).toEqual([422, 'field_invalid']);
  expect([...new Set(body.errors.map(({ pointer }: { pointer: string }) => pointer))]).toEqual([`/${field}`]);
  expect(await readProfile(token)).toEqual(filledProfile);
});

test('rejects an anonymous caller', async () => {
  const { status, body } = await app.request('PUT', '/members/me/profile', { body: filledProfile });
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects organisation users and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await put(token, filledProfile);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('changes only the caller’s own profile', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await put(one.token, filledProfile);
  expect(await readProfile(other.token)).toEqual(emptyProfile);
});

test('a move emits member.changed, clearing a required field member.undeployed, and filling it again member.deployed', async () => {
  const { token, member_id } = await app.registerDeployedMember();
  const listEvents = async () => {
    const rows = await app.sql.list(sql<{ type: string }>`
      select type from events where data->>'member_id' = ${member_id} and type like 'member.%' order by created_at, id`);
    return rows.map(({ type }) => type).sort();
  };
  expect(await listEvents()).toEqual(['member.deployed']);
  await put(token, { ...filledProfile, current_industry: 'mining' });
  expect(await listEvents()).toEqual(['member.deployed']);
  await put(token, { ...filledProfile, location_state: null });
  expect(await listEvents()).toEqual(['member.changed', 'member.deployed']);
  await put(token, { ...filledProfile, current_industry: null });
  expect(await listEvents()).toEqual(['member.changed', 'member.deployed', 'member.undeployed']);
  await put(token, filledProfile);
  expect(await listEvents()).toEqual([
    'member.changed',
    'member.deployed',
    'member.deployed',
    'member.undeployed',
  ]);
});
