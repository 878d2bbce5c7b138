import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { parsePaymentArgument, readPaymentProof } from './proof.ts';

test('a request without a payment has none', () => {
  expect(readPaymentProof({})).toBeNull();
});

/** The kind of a payment, or the code of its refusal. Anything else is an error of the test. */
function read(headers: Readonly<Record<string, string>>): string {
  try {
    return readPaymentProof(headers)!.kind;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

test('any header is a payment or a malformed one, and nothing else happens', () => {
  const json = fc.oneof(
    fc.json(),
    fc
      .record({ x402Version: fc.constantFrom(1, 2, 3), accepted: fc.jsonValue(), payload: fc.jsonValue() })
      .map((value) => JSON.stringify(value)),
    fc.record({ tx_hash: fc.jsonValue(), timestamp: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  );
  const header = fc.oneof(
    fc.string(),
    fc.base64String(),
    json.map((text) => Buffer.from(text).toString('base64')),
  );
  fc.assert(
    fc.property(header, fc.constantFrom('payment-signature', 'x-payment'), (value, name) => {
      expect(['hash', 'x402', 'malformed_payment', 'payment_scheme_unsupported']).toContain(
        read({ [name]: value }),
      );
    }),
  );
});

test('one payment has one spelling, so that it cannot be presented again in another', () => {
  const writeHex = (bytes: number) => `0x${'Ab'.repeat(bytes)}`;
  const payload = {
    signature: writeHex(65),
    authorization: {
      from: writeHex(20),
      to: writeHex(20),
      value: '1',
      validAfter: '0',
      validBefore: '2',
      nonce: writeHex(32),
    },
  };
  const proof = parsePaymentArgument({ x402Version: 1, scheme: 'exact', network: 'base', payload });
  expect(
    JSON.stringify(proof, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  ).not.toMatch(/0x[0-9a-f]*[A-F]/);
  expect(parsePaymentArgument({ tx_hash: writeHex(32), timestamp: 1 })).toMatchObject({
    tx_hash: writeHex(32).toLowerCase(),
  });
  for (const value of ['01', '+1', '1.0', '0x1', '', ' 1'])
    expect(() =>
      parsePaymentArgument({
        x402Version: 1,
        scheme: 'exact',
        network: 'base',
        payload: { ...payload, authorization: { ...payload.authorization, value } },
      }),
    ).toThrow(Refusal);
});
