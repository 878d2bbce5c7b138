/** An event of a webhook. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly api_version: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether the event comes from a sandbox. */
  readonly sandbox?: true;
};

type HeaderSource = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const tolerance_seconds = 300;

/**
 * Verifies a webhook by its Standard Webhooks signature, which covers the delivery's id, the time and the body.
 *
 * @param body The body as it was received, as text.
 * @param headers The headers of the request, as `fetch` or Node gives them.
 * @param secrets The secret of the subscription; while you rotate it, the new one and the old one.
 * @returns the event, or undefined if no signature is right or the delivery is more than five minutes old or early: then answer 401. Its
 *   `webhook-id` is the same for all attempts of a delivery: remember it, and ignore a second one.
 */
export async function verifyWebhook(
  body: string,
  headers: HeaderSource,
  secrets: string | readonly string[],
): Promise<WebhookEvent | undefined> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const age_seconds = Math.abs(Date.now() / 1000 - Number(timestamp ?? Number.NaN));
  if (!(age_seconds <= tolerance_seconds)) return undefined;
  const signatures = (readHeader(headers, 'webhook-signature') ?? '').split(' ').slice(0, 10);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await importSecret(secret);
    for (const signature of signatures)
      if (await isSignature(key, signature, signed)) return JSON.parse(body) as WebhookEvent;
  }
  return undefined;
}

function readHeader(headers: HeaderSource, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

type Key = Parameters<typeof crypto.subtle.verify>[1];

async function importSecret(secret: string): Promise<Key> {
  const bytes = secret.startsWith('whsec_')
    ? decodeBase64(secret.slice(6))
    : new TextEncoder().encode(secret);
  if (!bytes?.length) throw new TypeError('the secret of the webhook is empty or damaged');
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Web Crypto compares in constant time. */
async function isSignature(key: Key, signature: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const bytes = signature.startsWith('v1,') ? decodeBase64(signature.slice(3)) : undefined;
  return bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
