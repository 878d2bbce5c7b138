import { Secret, TOTP } from 'otpauth';
import type { FakeClock, TestApp } from '#test/harness.ts';
import type { TestUser } from '#test/users.ts';
import { sendPatiently } from '../send-patiently.ts';

/** Computes the code that an authenticator app shows now, or a number of 30-second steps later. */
export function computeTotpCode(secret: string, clock: FakeClock, steps = 0): string {
  const timestamp = clock.now().getTime() + steps * 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
}

/** Finds a code that is wrong at every time within five minutes before and after now. */
export function findWrongCode(secret: string, clock: FakeClock): string {
  const nearCodes = new Set(
    Array.from({ length: 21 }, (_, index) => computeTotpCode(secret, clock, index - 10)),
  );
  const candidates = Array.from({ length: nearCodes.size + 1 }, (_, index) => String(index).padStart(6, '0'));
  return candidates.find((code) => !nearCodes.has(code))!;
}

export type EnabledMfa = { readonly secret: string; readonly recovery_codes: readonly string[] };

/** Enables MFA for a user, then advances the clock until the code used is no longer valid. */
export async function enableMfa(app: TestApp, { token }: Pick<TestUser, 'token'>): Promise<EnabledMfa> {
  const setup = await app.request('POST', '/auth/mfa/setup', { token, body: {} });
  const { secret } = setup.body as { readonly secret: string };
  const enabled = await app.request('POST', '/auth/mfa/verify', {
    token,
    body: { code: computeTotpCode(secret, app.clock) },
  });
  if (enabled.status !== 200) throw new Error(JSON.stringify(enabled.body));
  app.clock.advance(60_000);
  const { recovery_codes } = enabled.body as { readonly recovery_codes: readonly string[] };
  return { secret, recovery_codes };
}

/** Logs in a user with MFA enabled and returns the ticket for the second step. */
export async function requestTicket(app: TestApp, { email, password }: TestUser): Promise<string> {
  const reply = await sendPatiently(() => app.request('POST', '/auth/login', { body: { email, password } }));
  return (reply.body as { readonly mfa_ticket: string }).mfa_ticket;
}
