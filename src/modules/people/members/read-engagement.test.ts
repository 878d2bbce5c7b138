import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { proves } from '#test/requirements.ts';
import { recordAssessmentPhase, recordEmailVerified } from './change-member.ts';

const app = await startApp();

test('a member rises from Explorer to Deployed, and each level lists what the next one requires', async () => {
  proves('member-engagement-level-3-exists', 'member-engagement-level-4-is-deployed');
  const { token, member_id } = await app.registerMember();
  const readEngagement = async () => {
    const { status, body } = await app.request('GET', '/members/me/engagement', { token });
    expect(status).toBe(200);
    return [body.engagement_level, body.name, body.missing.map(({ code }: { code: string }) => code)];
  };
  const grantConsent = (consent_type: string) =>
    app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type, granted: true, version: '1.0' },
    });

  expect(await readEngagement()).toEqual([1, 'Explorer', ['email_verified', 'assessment_data_consented']]);
  await app.sql.transaction((tx) => recordEmailVerified(app.platform, tx, member_id));
  expect(await readEngagement()).toEqual([1, 'Explorer', ['assessment_data_consented']]);
  await grantConsent('assessment_data');
  expect(await readEngagement()).toEqual([2, 'Learner', ['assessment_complete']]);
  await app.sql.transaction((tx) => recordAssessmentPhase(app.platform, tx, member_id, 'complete'));
  expect(await readEngagement()).toEqual([
    3,
    'Augmented',
    [
      'matching_consented',
      'current_industry_given',
      'years_experience_given',
      'education_level_given',
      'location_country_given',
    ],
  ]);
  await grantConsent('matching');
  await app.request('PUT', '/members/me/profile', { token, body: filledProfile });
  expect(await readEngagement()).toEqual([4, 'Deployed', []]);
});

test('every missing condition has a sentence for the reader', async () => {
  const { token } = await app.registerMember();
  const { body } = await app.request('GET', '/members/me/engagement', { token });
  for (const { sentence } of body.missing) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('rejects an unknown field', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/members/me/engagement?level=4', { token })).status).toBe(422);
});

test('rejects an anonymous caller', async () => {
  const { status, body } = await app.request('GET', '/members/me/engagement');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects organisation users and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await app.request('GET', '/members/me/engagement', { token });
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('a member reads only their own level', async () => {
  const [deployed, fresh] = [await app.registerDeployedMember(), await app.registerMember()];
  const readLevel = async (token: string) =>
    (await app.request('GET', '/members/me/engagement', { token })).body.engagement_level;
  expect([await readLevel(deployed.token), await readLevel(fresh.token)]).toEqual([4, 1]);
});
