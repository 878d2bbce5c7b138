import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

test('a new member reads their own resource with an empty profile', async () => {
  proves(
    'member-get-endpoint-jwt',
    'member-record-fields',
    'member-external-id-form',
    'member-account-status-value-active',
  );
  const { token, member_id } = await app.registerMember({ name: 'Ada Byron' });
  const { status, body } = await app.request('GET', '/members/me', { token });
  expect(status).toBe(200);
  expect(body).toEqual({
    id: member_id,
    external_id: expect.stringMatching(/^MBR-[0-9A-HJKMNP-TV-Z]{8}$/),
    display_name: 'Ada Byron',
    assessment_phase: 'not_started',
    account_status: 'active',
    engagement_level: 1,
    created_at: app.clock.now().toISOString(),
    profile: {
      current_industry: null,
      years_experience: null,
      education_level: null,
      location_country: null,
      location_state: null,
    },
  });
});

test('a deployed member reads level 4 and the profile that they filled in', async () => {
  proves(
    'member-engagement-level-4-is-deployed',
    'member-profile-fields',
    'member-education-level-value-bachelors',
  );
  const { token } = await app.registerDeployedMember();
  const { body } = await app.request('GET', '/members/me', { token });
  expect(body).toMatchObject({ engagement_level: 4, assessment_phase: 'complete', profile: filledProfile });
});

test('ids are UUIDs and times are ISO 8601 in UTC', async () => {
  proves('surface-ids-are-uuid', 'surface-timestamps-iso8601-utc');
  const member = await app.registerMember();
  const organisation = await app.registerOrgAdmin();
  const replies = [
    await app.request('GET', '/members/me', { token: member.token }),
    await app.request('GET', '/orgs/me', { token: organisation.token }),
    await app.request('POST', '/members/me/consent', {
      token: member.token,
      body: { consent_type: 'matching', granted: true, version: '1.0' },
    }),
  ];
  for (const { body } of replies) {
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(body.created_at)).toBe(app.clock.now().getTime());
  }
});

test('a member reads only their own resource', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  expect((await app.request('GET', '/members/me', { token: one.token })).body.id).toBe(one.member_id);
  expect((await app.request('GET', '/members/me', { token: other.token })).body.id).toBe(other.member_id);
});

test('rejects an unknown field', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('GET', '/members/me?id=1', { token });
  expect([status, body.errors[0].pointer]).toEqual([422, '/id']);
});

test('rejects an anonymous caller', async () => {
  const { status, body } = await app.request('GET', '/members/me');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects organisation users and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await app.request('GET', '/members/me', { token });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});
