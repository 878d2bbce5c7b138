import { Secret, TOTP } from 'otpauth';
import type { FakeClock, TestApp } from '#test/harness.ts';
import type { TestUser } from '#test/users.ts';

/** What an authenticator app shows now, or so many 30-second steps later. */
export function computeTotpCode(secret: string, clock: FakeClock, steps = 0): string {
  const timestamp = clock.now().getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** A code that is right at no time near now. */
export function findWrongCode(secret: string, clock: FakeClock): string {
  const near = new Set(Array.from({ length: 21 }, (_, index) => computeTotpCode(secret, clock, index - 10)));
  return ['000000', '111111', '222222', ...near].find((code) => !near.has(code))!;
}

export type EnabledMfa = { readonly secret: string; readonly recovery_codes: readonly string[] };

/** Enables MFA for somebody, and goes on until the code that it took is over. */
export async function enableMfa(app: TestApp, { token }: Pick<TestUser, 'token'>): Promise<EnabledMfa> {
  const setUp = await app.request('POST', '/auth/mfa/setup', { token, body: {} });
  const { secret } = setUp.body as { readonly secret: string };
  const enabled = await app.request('POST', '/auth/mfa/verify', {
    token,
    body: { code: computeTotpCode(secret, app.clock) },
  });
  if (enabled.status !== 200) throw new Error(JSON.stringify(enabled.body));
  app.clock.advance(60_000);
  const { recovery_codes } = enabled.body as { readonly recovery_codes: readonly string[] };
  return { secret, recovery_codes };
}

/** The ticket that the password of somebody with MFA gives. */
export async function requestTicket(app: TestApp, { email, password }: TestUser): Promise<string> {
  const answer = await app.request('POST', '/auth/login', { body: { email, password } });
  return (answer.body as { readonly mfa_ticket: string }).mfa_ticket;
}
