import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sandboxHeader } from '#platform/http/headers.ts';

/** What a delivery is signed with: the keys of the current secret, and during a rotation those of the previous one. */
export type SigningKeys = { readonly current: SecretKeys; readonly previous: SecretKeys | undefined };

/** The keys of one secret in the two schemes. */
export type SecretKeys = { readonly specified: KeyObject; readonly standard: KeyObject };

/**
 * Reads the keys of a secret. The specification's signature has the text of the secret as its key. That of Standard Webhooks has what a secret
 * with `whsec_` has in base64, or else the text. Both are key objects, with which a signature takes a quarter of the time.
 */
export function readKeys(secret: string): SecretKeys {
  const text = Buffer.from(secret);
  const decoded = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : text;
  return { specified: createSecretKey(text), standard: createSecretKey(decoded) };
}

export type SignedMessage = {
  /** The id of the delivery, the same for all attempts. */
  readonly delivery_id: string;
  readonly event_type: string;
  /** The body as canonical JSON. */
  readonly body: string;
  readonly sent_at: Date;
  /** Whether the message is of a sandbox. */
  readonly sandbox?: boolean;
};

/**
 * Builds the headers of an attempt: those of the specification, and those of Standard Webhooks 1.0 (webhook-id, webhook-timestamp,
 * webhook-signature). During a rotation both schemes also carry the signature by the previous secret.
 */
export function buildHeaders(
  { delivery_id, event_type, body, sent_at, sandbox = false }: SignedMessage,
  { current, previous }: SigningKeys,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sent_at.getTime() / 1000));
  const keys = previous ? [current, previous] : [current];
  const signed = `${delivery_id}.${timestamp}.${body}`;
  return {
    'content-type': 'application/json',
    'x-service-signature': signBody(current, body),
    ...(previous && { 'x-service-signature-previous': signBody(previous, body) }),
    'x-service-delivery': delivery_id,
    'x-service-event': event_type,
    ...(sandbox && sandboxHeader),
    'webhook-id': delivery_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((each) => `v1,${computeStandardSignature(each, signed)}`).join(' '),
  };
}

/** The specification's signature: the HMAC-SHA256 of the body in hexadecimal. */
function signBody({ specified }: SecretKeys, body: string): string {
  return `sha256=${createHmac('sha256', specified).update(body).digest('hex')}`;
}

function computeStandardSignature({ standard }: SecretKeys, signed: string): string {
  return createHmac('sha256', standard).update(signed).digest('base64');
}
