import { createHmac } from 'node:crypto';

/** What a delivery is signed with: the current secret, and during a rotation the previous one. */
export type SigningSecrets = { readonly secret: string; readonly previous_secret: string | undefined };

/** One attempt to be signed. */
export type SignedMessage = {
  /** The id of the delivery, the same for all attempts. */
  readonly delivery_id: string;
  readonly event_type: string;
  /** The body as canonical JSON. */
  readonly body: string;
  readonly sent_at: Date;
};

/**
 * Builds the headers of an attempt: those of the specification, and those of Standard Webhooks 1.0 (webhook-id, webhook-timestamp,
 * webhook-signature). During a rotation both schemes also carry the signature by the previous secret.
 */
export function buildHeaders(
  { delivery_id, event_type, body, sent_at }: SignedMessage,
  { secret, previous_secret }: SigningSecrets,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(sent_at.getTime() / 1000));
  const secrets = previous_secret === undefined ? [secret] : [secret, previous_secret];
  const signed = `${delivery_id}.${timestamp}.${body}`;
  return {
    'content-type': 'application/json',
    'x-service-signature': signBody(secret, body),
    ...(previous_secret !== undefined && { 'x-service-signature-previous': signBody(previous_secret, body) }),
    'x-service-delivery': delivery_id,
    'x-service-event': event_type,
    'webhook-id': delivery_id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((each) => `v1,${computeStandardSignature(each, signed)}`).join(' '),
  };
}

/** The specification's signature: the HMAC-SHA256 of the body with the text of the secret as the key, in hexadecimal. */
function signBody(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** The signature of Standard Webhooks. Its key is what a secret with `whsec_` has in base64, or else the text of the secret. */
function computeStandardSignature(secret: string, signed: string): string {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice('whsec_'.length), 'base64')
    : Buffer.from(secret);
  return createHmac('sha256', key).update(signed).digest('base64');
}
