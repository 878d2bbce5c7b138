import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../../web/assets/verify-webhook.js';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import { proves } from '#test/requirements.ts';
import { buildHeaders, readKeys } from './signatures.ts';
import { generateSecret } from './subscriptions/secrets.ts';

const sent_at = new Date('2026-03-02T09:00:00.000Z');
// The verifier of Standard Webhooks compares the timestamp with the clock of the process.
beforeEach(() => void vi.useFakeTimers({ now: sent_at, toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const sign = (body: string, secret: string, previous_secret?: string) =>
  buildHeaders(
    { delivery_id: randomUUID(), event_type: 'match.accepted', body, sent_at },
    {
      current: readKeys(secret),
      previous: previous_secret === undefined ? undefined : readKeys(previous_secret),
    },
  );

const jsonObject = fc.dictionary(fc.string(), fc.jsonValue());
const plainSecret = fc.stringMatching(/^[!-~]{16,128}$/).filter((secret) => !secret.startsWith('whsec_'));

test('the headers are those of the specification and of Standard Webhooks', () => {
  proves(
    'webhook-header-content-type-json',
    'webhook-header-signature-form',
    'webhook-header-delivery-uuid',
    'webhook-header-event-name',
  );
  const headers = sign('{}', generateSecret());
  expect(headers).toEqual({
    'content-type': 'application/json',
    'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
    'x-service-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-service-event': 'match.accepted',
    'webhook-id': headers['x-service-delivery'],
    'webhook-timestamp': '1772442000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});

test('a known secret and payload give the signature that OpenSSL computes', () => {
  proves('webhook-signature-keyed-with-secret', 'webhook-signature-canonical-json');
  const body = writeCanonicalJson({ type: 'match.accepted', data: { b: 1, a: [] } });
  expect(body).toBe('{"data":{"a":[],"b":1},"type":"match.accepted"}');
  // printf '%s' "$body" | openssl dgst -sha256 -hmac a-secret-that-is-known
  const digest = '021817f665e61f78d3776dbd29a3032dafc2a91bce389fff74dbc6a2d1d357ec';
  expect(sign(body, 'a-secret-that-is-known')['x-service-signature']).toBe(`sha256=${digest}`);
});

test('a receiver that parses and re-serialises any payload verifies the signature, in whatever order the keys arrive', () => {
  proves('webhook-receiver-reserialises-and-computes', 'webhook-receiver-compares-in-constant-time');
  fc.assert(
    fc.property(jsonObject, plainSecret, (payload, secret) => {
      const headers = sign(writeCanonicalJson(payload), secret);
      const asReceived = JSON.stringify(payload, undefined, 2);
      expect(verifyWebhook(asReceived, headers, [secret])).toEqual(JSON.parse(asReceived));
      expect(verifyWebhook(asReceived, headers, [`${secret}x`])).toBeUndefined();
      expect(verifyWebhook(`[${asReceived}]`, headers, [secret])).toBeUndefined();
      expect(verifyWebhook(`${asReceived},`, headers, [secret])).toBeUndefined();
      expect(verifyWebhook(asReceived, {}, [secret])).toBeUndefined();
    }),
  );
});

test('the verifier of the Standard Webhooks project accepts generated and chosen secrets, and no altered body', () => {
  fc.assert(
    fc.property(jsonObject, plainSecret, (payload, chosen) => {
      const body = writeCanonicalJson(payload);
      const generated = generateSecret();
      expect(new Webhook(generated).verify(body, sign(body, generated))).toEqual(JSON.parse(body));
      expect(new Webhook(chosen, { format: 'raw' }).verify(body, sign(body, chosen))).toEqual(
        JSON.parse(body),
      );
      expect(() => new Webhook(generated).verify(`${body} `, sign(body, generated))).toThrow(
        'No matching signature found',
      );
    }),
  );
});

test('during a rotation both schemes verify with the new and with the previous secret', () => {
  const [current, previous] = [generateSecret(), generateSecret()];
  const headers = sign('{"a":1}', current, previous);
  for (const secret of [current, previous]) {
    expect(verifyWebhook('{"a":1}', headers, [secret])).toEqual({ a: 1 });
    expect(new Webhook(secret).verify('{"a":1}', headers)).toEqual({ a: 1 });
  }
  expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
  expect(headers['x-service-signature']).toBe(sign('{"a":1}', current)['x-service-signature']);
});
