import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Creates the token that a form carries: a random number, and its HMAC with the visitor's cookie as the key. Another site can neither read
 * the cookie nor compute the HMAC (OWASP, Cross-Site Request Forgery Prevention: signed double-submit cookie). The number is new for each view of
 * a page, whose forms share it.
 */
export function createFormToken(cookie: string): string {
  const number = randomBytes(16).toString('base64url');
  return `${number}.${computeMac(cookie, number)}`;
}

/** Whether a form was shown to the holder of this cookie. */
export function isFormToken(cookie: string, token: string | undefined): boolean {
  const [number, mac, ...rest] = token?.split('.') ?? [];
  if (number === undefined || mac === undefined || rest.length > 0) return false;
  const [given, expected] = [Buffer.from(mac), Buffer.from(computeMac(cookie, number))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Computes what identifies one sending of a form: the view of the page and everything that is sent. A second click sends the same; another
 * form of the page, or the same form with other values after going back, is something else.
 */
export function identifySending(
  token: string,
  sent: {
    readonly address: string;
    readonly action: string;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): string {
  const fields = Object.entries(sent.fields).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const content = JSON.stringify([sent.address, sent.action, fields]);
  return createHmac('sha256', token).update(content).digest('base64url');
}

function computeMac(cookie: string, number: string): string {
  return createHmac('sha256', cookie).update(`form:${number}`).digest('base64url');
}
