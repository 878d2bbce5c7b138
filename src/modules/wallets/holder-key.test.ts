import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHolderKey } from './holder-key.ts';

// RFC 8037 appendix A.2 and the examples of the did:key Method Specification (section "Ed25519 / X25519" and "P-256").
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

test('the same key is found by jwk, did:jwk and did:key', () => {
  const did = `did:jwk:${Buffer.from(JSON.stringify(ed25519)).toString('base64url')}`;
  expect(readHolderKey({ jwk: ed25519 })).toEqual({ jwk: ed25519, did });
  expect(readHolderKey({ kid: `${did}#0` })).toEqual({ jwk: ed25519, did });
});

test('the P-256 example of did:key is a point of the curve', () => {
  const did = 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169';
  expect(readHolderKey({ kid: did })).toMatchObject({ did, jwk: { kty: 'EC', crv: 'P-256' } });
});

test.each([' ', '\n', '\u00a0', '0', 'O', 'l', '1', '1'.repeat(65), '%'])(
  'a did:key with %j in it is no key',
  (text) => {
    const did = 'did:key:zDnaerDaTF5BXEavCrfRZEk316dpbLsfPDZ3WJ5hRTPFU2169';
    for (const spelling of [
      `${did}${text}`,
      did.replace('zD', `z${text}D`),
      did.replace('316', `${text}316`),
    ])
      expect(readHolderKey({ kid: spelling })).toBeUndefined();
  },
);

test('members of a key that are not the key do not come into a credential', () => {
  const { jwk } = readHolderKey({ jwk: { ...ed25519, name: 'Ada', use: 'sig' } })!;
  expect(jwk).toEqual(ed25519);
});

test('whatever a header says, the answer is a key or none', () => {
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
