import { Secret, TOTP } from 'otpauth';

/** RFC 6238 as every authenticator app knows it. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A code of the step before or after is taken as well: clocks differ, and people type slowly (RFC 6238 section 5.2). */
const steps_around = 1;

/** What an authenticator app is given: the secret in base32 (160 random bits), and the same as a URI for a QR code. */
export type Provisioning = { readonly secret: string; readonly provisioning_uri: string };

/** Makes a new secret for the user of an e-mail address. */
export function createProvisioning(email: string): Provisioning {
  const secret = new Secret({ size: 20 });
  const totp = new TOTP({ ...settings, issuer: 'Tessera', label: email, secret });
  return { secret: secret.base32, provisioning_uri: totp.toString() };
}

/** The 30-second step that a code belongs to, of those around `now`; undefined for a wrong code. */
export function findTotpStep(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    ...settings,
    token: code,
    secret: Secret.fromBase32(secret),
    timestamp,
    window: steps_around,
  });
  return delta === null ? undefined : Math.floor(timestamp / (settings.period * 1000)) + delta;
}
