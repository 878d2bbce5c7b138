import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildDidDocument } from './did-document.ts';

test('a key that could not be encoded once is encoded again for the next document', async () => {
  const { platform } = await startApp();
  const key = platform.keys.list().find(({ purpose }) => purpose === 'credential');
  const { kid, publicJwk } = key!;
  const buildWithCurve = (crv: string) =>
    buildDidDocument({
      ...platform,
      keys: { ...platform.keys, list: () => [{ ...key!, publicJwk: { ...publicJwk, crv } }] },
    });
  await expect(buildWithCurve('unknown')).rejects.toThrow(/curve/);
  const { verificationMethod } = await buildWithCurve('P-256');
  expect(verificationMethod).toContainEqual(
    expect.objectContaining({
      id: expect.stringContaining(kid),
      publicKeyMultibase: expect.stringMatching(/^zDn/),
    }),
  );
});
