import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { volunteerConsent } from './rules.ts';

test('says what volunteers agree to, word for word, if the operator asks them', async () => {
  const app = await startApp();
  const { status, body } = await app.request('GET', '/volunteers');
  expect([status, body]).toEqual([200, { ...volunteerConsent, items: 50, languages: ['en'], minutes: 8 }]);
  const closed = await startApp({ TESSERA_VOLUNTEERS: 'off' });
  expect((await closed.request('GET', '/volunteers')).status).toBe(404);
});
