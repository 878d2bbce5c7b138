import { beforeAll, expect, test } from 'vitest';
import { requireConsent } from './require-consent.ts';
import { hasConsent } from './store.ts';
import { startApp, type TestApp } from '#test/harness.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const decide = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'matching', granted, version: '1' },
  });

test('a transaction goes on only while the member’s last word is yes, and only for that type', async () => {
  const { token, member_id } = await app.registerMember();
  const has = () => app.sql.transaction((tx) => hasConsent(tx, member_id, 'matching'));
  const require = () => app.sql.transaction((tx) => requireConsent(tx, member_id, 'matching'));
  expect(await has()).toBe(false);
  await expect(require()).rejects.toMatchObject({ code: 'consent_required', status: 403 });
  await decide(token, true);
  expect(await has()).toBe(true);
  await expect(require()).resolves.toBeUndefined();
  expect(await app.sql.transaction((tx) => hasConsent(tx, member_id, 'assessment_data'))).toBe(false);
  await decide(token, false);
  expect(await has()).toBe(false);
  await expect(require()).rejects.toMatchObject({ code: 'consent_required' });
});
