import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHolderKey } from './holder-key.ts';

// RFC 8037 appendix A.2 and the examples of the did:key Method Specification (section "Ed25519 / X25519" and "P-256").
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

test('jwk and did:jwk yield the same key, and each is confirmed as it was proved', () => {
  const did = `did:jwk:${Buffer.from(JSON.stringify(ed25519)).toString('base64url')}`;
  expect(readHolderKey({ jwk: ed25519 })).toEqual({ jwk: ed25519, did, confirmation: { jwk: ed25519 } });
  for (const kid of [did, `${did}#0`])
    expect(readHolderKey({ kid })).toEqual({ jwk: ed25519, did, confirmation: { kid: `${did}#0` } });
});

test('the P-256 example of the did:key specification is read as a key', () => {
  const did = 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169';
  expect(readHolderKey({ kid: did })).toMatchObject({
    did,
    jwk: { kty: 'EC', crv: 'P-256' },
    confirmation: { kid: `${did}#${did.slice('did:key:'.length)}` },
  });
});

test.each([' ', '\n', '\u00a0', '0', 'O', 'l', '1', '1'.repeat(65), '%'])(
  'a did:key that contains %j is rejected',
  (text) => {
    const did = 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169';
    for (const variant of [`${did}${text}`, did.replace('zD', `z${text}D`), did.replace('316', `${text}316`)])
      expect(readHolderKey({ kid: variant })).toBeUndefined();
  },
);

test('additional members of a JWK are dropped', () => {
  const { jwk } = readHolderKey({ jwk: { ...ed25519, name: 'Ada', use: 'sig' } })!;
  expect(jwk).toEqual(ed25519);
});

test('arbitrary headers cause no error', () => {
  fc.assert(
    fc.property(fc.record({ jwk: fc.anything(), kid: fc.anything() }, { requiredKeys: [] }), (header) => {
      expect(() => readHolderKey(header)).not.toThrow();
    }),
  );
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('did:key:z', 'did:jwk:'), (text, method) => {
      expect(() => readHolderKey({ kid: method + text })).not.toThrow();
    }),
  );
});
