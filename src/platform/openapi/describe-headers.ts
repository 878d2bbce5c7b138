import type { Schema } from '#platform/openapi/build-sample.ts';

const text = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

/** The response headers of the API, by name. */
export const responseHeaders = {
  'X-Request-Id': text(
    'The id of the request. Give it to the operator with a question about it.',
    '4f9d1c2b-7a6e-4d35-9c80-1b2a3f4e5d6c',
  ),
  RateLimit: text(
    'How many requests remain (`r`) in the seconds (`t`) of each window.',
    '"minute";r=118;t=30, "day";r=4998;t=86370',
  ),
  'RateLimit-Policy': text(
    'The quota (`q`) of each window and its length in seconds (`w`).',
    '"minute";q=120;w=60, "day";q=5000;w=86400',
  ),
  'Retry-After': {
    description: 'The seconds to wait before the next request.',
    schema: { type: 'integer', examples: [1] },
  },
  ETag: text('The version of the resource, for If-Match and If-None-Match.', '"V1StGXR8_Z5jdHi6B-myTQ"'),
  Location: text(
    'The URL of the new resource, of the task that makes it, or of the next page of a browser.',
    '/api/v1/tasks/3d6b9e50-8c2f-4a71-9e04-b5f7a1c8d263',
  ),
  'Idempotent-Replayed': text(
    '`true` if this is the stored reply to an earlier request with the same Idempotency-Key.',
    'true',
  ),
  'PAYMENT-REQUIRED': text(
    'The terms of the payment for clients of the x402 protocol, version 2: JSON in base64.',
    'eyJ4NDAyVmVyc2lvbiI6MiwiYWNjZXB0cyI6W119',
  ),
  'PAYMENT-RESPONSE': text(
    'The receipt of the payment, or why it was not carried out: JSON in base64.',
    'eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4IiwibmV0d29yayI6ImVpcDE1NTo4NDUzIn0=',
  ),
  'X-PAYMENT-RESPONSE': text(
    'The same for a payment that was sent in X-PAYMENT.',
    'eyJzdWNjZXNzIjp0cnVlLCJ0cmFuc2FjdGlvbiI6IjB4IiwibmV0d29yayI6ImVpcDE1NTo4NDUzIn0=',
  ),
  'WWW-Authenticate': text(
    'How to authenticate (RFC 6750).',
    'Bearer realm="tessera", error="invalid_token"',
  ),
  'Set-Cookie': text(
    'A cookie for later requests. No script can read it.',
    'refresh_token=Zk3Qm9s1XeYt7uRwPb2hVd5c; Max-Age=2592000; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Lax',
  ),
} as const satisfies Readonly<Record<string, Schema>>;

export type ResponseHeader = keyof typeof responseHeaders;

/** The headers of a reply, as references to the components of the document. */
export function describeHeaders(names: readonly ResponseHeader[]): Schema {
  const all: readonly ResponseHeader[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
