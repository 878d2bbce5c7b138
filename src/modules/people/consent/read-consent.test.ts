import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { consentTypes } from './consent-types.ts';

const app = await startApp();

const read = (token: string) => app.request('GET', '/members/me/consent', { token });
const decide = (token: string, consent_type: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', { token, body: { consent_type, granted, version: '1.0' } });

test('a member who never decided has consented to nothing', async () => {
  proves('consent-get-endpoint-jwt');
  const { token } = await app.registerMember();
  const { status, body } = await read(token);
  expect(status).toBe(200);
  expect(body).toEqual({
    consents: consentTypes.map((consent_type) => ({
      consent_type,
      granted: false,
      version: null,
      is_outdated: false,
      updated_at: null,
    })),
    consent_level: 'none',
  });
});

test('the last decision on each type counts, even among decisions made at the same time', async () => {
  proves('consent-get-endpoint-jwt', 'consent-type-value-assessment-data');
  const { token } = await app.registerMember();
  await decide(token, 'assessment_data', true);
  await decide(token, 'assessment_data', false);
  const decided_at = app.clock.now().toISOString();
  app.clock.advance(60_000);
  await decide(token, 'matching', false);
  await decide(token, 'matching', true);
  const { body } = await read(token);
  expect(body.consents.slice(0, 2)).toEqual([
    {
      consent_type: 'assessment_data',
      granted: false,
      version: '1.0',
      is_outdated: false,
      updated_at: decided_at,
    },
    {
      consent_type: 'matching',
      granted: true,
      version: '1.0',
      is_outdated: true,
      updated_at: app.clock.now().toISOString(),
    },
  ]);
});

test('a consent is outdated while its text is an earlier one that says something else', async () => {
  const { token } = await app.registerMember();
  const decideOn = (consent_type: string, version: string) =>
    app.request('POST', '/members/me/consent', { token, body: { consent_type, granted: true, version } });
  const listOutdated = async () =>
    (await read(token)).body.consents
      .filter((each: { readonly is_outdated: boolean }) => each.is_outdated)
      .map((each: { readonly consent_type: string }) => each.consent_type);
  await decideOn('assessment_data', '1.0');
  await decideOn('matching', '1.0');
  expect(await listOutdated()).toEqual(['matching']);
  await decideOn('matching', '1.1');
  expect(await listOutdated()).toEqual(['matching']);
  await decideOn('matching', '1.2');
  expect(await listOutdated()).toEqual([]);
  await decideOn('matching', '1.0');
  await decide(token, 'matching', false);
  expect(await listOutdated()).toEqual([]);
});

test('the consent level rises and falls with what is granted', async () => {
  const { token } = await app.registerMember();
  const readLevel = async () => (await read(token)).body.consent_level;
  await decide(token, 'assessment_data', true);
  expect(await readLevel()).toBe('basic');
  await decide(token, 'identity_queries', true);
  expect(await readLevel()).toBe('selective');
  await decide(token, 'assessment_data', false);
  expect(await readLevel()).toBe('none');
});

test('a member reads only their own consent', async () => {
  const [one, other] = [await app.registerMember(), await app.registerMember()];
  await decide(one.token, 'assessment_data', true);
  expect((await read(other.token)).body.consent_level).toBe('none');
});

test('rejects an unknown field', async () => {
  const { token } = await app.registerMember();
  expect((await app.request('GET', '/members/me/consent?member_id=1', { token })).status).toBe(422);
});

test('rejects an anonymous caller', async () => {
  const { status, body } = await app.request('GET', '/members/me/consent');
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects organisation users and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});
