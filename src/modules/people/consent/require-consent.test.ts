import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { requireConsent } from './require-consent.ts';
import { hasConsent } from './store.ts';

const app = await startApp();

const decide = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1.0' },
  });

test('a transaction proceeds only if the member’s last decision on that type grants it', async () => {
  const { token, member_id } = await app.registerMember();
  const hasMatchingConsent = () => app.sql.transaction((tx) => hasConsent(tx, member_id, 'matching'));
  const requireMatchingConsent = () => app.sql.transaction((tx) => requireConsent(tx, member_id, 'matching'));
  expect(await hasMatchingConsent()).toBe(false);
  await expect(requireMatchingConsent()).rejects.toMatchObject({ code: 'consent_required', status: 403 });
  await decide(token, true);
  expect(await hasMatchingConsent()).toBe(true);
  await expect(requireMatchingConsent()).resolves.toBeUndefined();
  expect(await app.sql.transaction((tx) => hasConsent(tx, member_id, 'assessment_data'))).toBe(false);
  await decide(token, false);
  expect(await hasMatchingConsent()).toBe(false);
  await expect(requireMatchingConsent()).rejects.toMatchObject({ code: 'consent_required' });
});
