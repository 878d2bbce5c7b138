import fc from 'fast-check';
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { toDerSignature, toRawSignature } from './ecdsa-signature.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const raw = 'ieee-p1363';

test('Node verifies the converted signature in either encoding', () => {
  for (let index = 0; index < 300; index++) {
    const message = Buffer.from(`message ${index}`);
    const der = sign('sha256', message, privateKey);
    const [ours, theirs] = [
      toRawSignature(der),
      sign('sha256', message, { key: privateKey, dsaEncoding: raw }),
    ];
    expect(verify('sha256', message, { key: publicKey, dsaEncoding: raw }, ours)).toBe(true);
    expect(verify('sha256', message, publicKey, toDerSignature(theirs))).toBe(true);
    expect(toDerSignature(ours)).toEqual(der);
  }
});

test('any r and s survive the conversion to DER and back, even with leading zeros and high bits', () => {
  const number = fc
    .tuple(fc.integer({ min: 0, max: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
    .map(([zeros, bytes]) => bytes.fill(0, 0, zeros));
  fc.assert(
    fc.property(number, number, (r, s) => {
      const both = Buffer.concat([r, s]);
      const der = toDerSignature(both);
      expect(toRawSignature(der)).toEqual(both);
      expect(der[1]).toBe(der.length - 2);
      expect(der.length).toBeLessThanOrEqual(72);
    }),
  );
});

test('numbers that are not a signature do not verify in either encoding', () => {
  const message = Buffer.from('message');
  for (const bytes of [Buffer.alloc(64), Buffer.alloc(64, 0xff), Buffer.alloc(64, 1)]) {
    expect(verify('sha256', message, publicKey, toDerSignature(bytes))).toBe(false);
    expect(verify('sha256', message, { key: publicKey, dsaEncoding: raw }, bytes)).toBe(false);
  }
});
