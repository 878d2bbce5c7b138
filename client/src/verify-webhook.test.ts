import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from './verify-webhook.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
beforeEach(() => void vi.useFakeTimers({ now }));
afterEach(() => void vi.useRealTimers());

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const body = '{"data":{"match_id":"m"},"id":"e-1","type":"match.accepted"}';

/** The headers that the reference library of Standard Webhooks signs. */
function sign(text: string, key = secret, at = now, id = 'd-1'): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(key).sign(id, at, text),
  };
}

test('what the reference library has signed is verified, with headers of fetch and of Node', async () => {
  expect(await verifyWebhook(body, sign(body), secret)).toMatchObject({ type: 'match.accepted' });
  expect(await verifyWebhook(body, new Headers(sign(body)), [other, secret])).toMatchObject({ id: 'e-1' });
});

test('while a secret is rotated, one of several signatures is enough', async () => {
  const headers = sign(body);
  headers['webhook-signature'] = `${sign(body, other)['webhook-signature']} ${headers['webhook-signature']}`;
  expect(await verifyWebhook(body, headers, secret)).toBeDefined();
});

test('a secret that the organisation chose is its own text', async () => {
  const chosen = 'a secret of our own';
  const raw = new Webhook(chosen, { format: 'raw' }).sign('d-1', now, body);
  const headers = { ...sign(body), 'webhook-signature': raw };
  expect(await verifyWebhook(body, headers, chosen)).toBeDefined();
});

const addMinutes = (count: number) => new Date(now.getTime() + count * 60_000);

test.each([
  ['a changed body', body.replace('"m"', '"n"'), sign(body)],
  ['another secret', body, sign(body, other)],
  ['another delivery', body, { ...sign(body), 'webhook-id': 'd-2' }],
  ['an old delivery', body, sign(body, secret, addMinutes(-6))],
  ['a delivery from the future', body, sign(body, secret, addMinutes(6))],
  ['no headers', body, {}],
  ['a time that is none', body, { ...sign(body), 'webhook-timestamp': 'NaN' }],
  ['a signature that is not base64', body, { ...sign(body), 'webhook-signature': 'v1,%%%' }],
  [
    'another scheme',
    body,
    { ...sign(body), 'webhook-signature': sign(body)['webhook-signature']!.replace('v1,', 'v1a,') },
  ],
  ['an empty signature', body, { ...sign(body), 'webhook-signature': 'v1,' }],
])('%s is not verified', async (_, text, headers) => {
  expect(await verifyWebhook(text, headers, secret)).toBeUndefined();
});

test.each(['', 'whsec_', 'whsec_%%%'])(
  'the secret %j is a mistake of the program, not of the sender',
  async (wrong) => {
    await expect(verifyWebhook(body, sign(body), wrong)).rejects.toThrow('empty or damaged');
  },
);
