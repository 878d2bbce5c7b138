import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verifies a webhook of Tessera.
 *
 * @param {string} text The body as it was received.
 * @param {Readonly<Record<string, string | string[] | undefined>>} headers The headers of the request, as Node gives them.
 * @param {readonly string[]} secrets The secret of the subscription; while you rotate it, the new one and the old one.
 * @returns {{ id: string, type: string, created_at: string, api_version: string, data: Record<string, unknown> } | undefined} the event, or
 *   undefined if the signature is wrong: then reply 401.
 */
export function verifyWebhook(text, headers, secrets) {
  const signatures = ['x-service-signature', 'x-service-signature-previous'].map((name) => headers[name]);
  try {
    const body = JSON.parse(text);
    const canonical = writeCanonicalJson(body);
    const isValid = secrets.some((secret) => {
      const expected = `sha256=${createHmac('sha256', secret).update(canonical).digest('hex')}`;
      return signatures.some((signature) => isEqual(expected, signature));
    });
    return isValid ? body : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes JSON with sorted keys and without spaces.
 *
 * @param {any} value
 * @returns {string}
 */
function writeCanonicalJson(value) {
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${writeCanonicalJson(value[name])}`).join(',')}}`;
}

/**
 * Compares in constant time.
 *
 * @param {string} expected
 * @param {string | string[] | undefined} actual
 */
function isEqual(expected, actual) {
  if (typeof actual !== 'string' || actual.length !== expected.length) return false;
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)];
  return one.length === other.length && timingSafeEqual(one, other);
}
