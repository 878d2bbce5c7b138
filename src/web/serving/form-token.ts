import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Creates the token that a form carries: a random number, and its HMAC with the visitor's cookie as the key. Another site can neither read
 * the cookie nor compute the HMAC. The number is new for each form, so it also identifies one sending of the form (OWASP, Cross-Site
 * Request Forgery Prevention: signed double-submit cookie).
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

function computeMac(cookie: string, number: string): string {
  return createHmac('sha256', cookie).update(`form:${number}`).digest('base64url');
}
