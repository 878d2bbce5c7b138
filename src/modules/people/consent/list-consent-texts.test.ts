import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { consentTypes } from './consent-types.ts';

const app = await startApp();

type Text = {
  readonly consent_type: string;
  readonly version: string;
  readonly is_current: boolean;
  readonly text: string;
};

const listTexts = async (token?: string): Promise<readonly Text[]> => {
  const { status, body } = await app.request('GET', '/consent-texts', { ...(token && { token }) });
  expect(status).toBe(200);
  return body.data;
};

test('anyone can read the text of every type of consent, and the first version is 1.0', async () => {
  const texts = await listTexts();
  expect(texts.filter(({ is_current }) => is_current).map(({ consent_type }) => consent_type)).toEqual([
    ...consentTypes,
  ]);
  for (const consent_type of consentTypes)
    expect(texts.find((text) => text.consent_type === consent_type)?.version).toBe('1.0');
  for (const { text } of texts) expect(text).toMatch(/^I agree that .*\.$/);
  for (const { token } of [await app.registerMember(), await app.registerOrgAdmin()])
    expect(await listTexts(token)).toEqual(texts);
});

test('every published version can be granted and withdrawn', async () => {
  const { token } = await app.registerMember();
  for (const { consent_type, version } of await listTexts())
    for (const granted of [true, false]) {
      const body = { consent_type, granted, version };
      expect((await app.request('POST', '/members/me/consent', { token, body })).status).toBe(201);
    }
});

test('rejects a query field', async () => {
  const { status, body } = await app.request('GET', '/consent-texts?version=1.0');
  expect([status, body.errors[0].pointer]).toEqual([422, '/version']);
});
