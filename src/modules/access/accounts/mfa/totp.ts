import { Secret, TOTP } from 'otpauth';

/** The parameters of RFC 6238 that every authenticator app supports. */
const settings = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** A code of the step before or after is accepted as well, because clocks differ and users type slowly (RFC 6238 section 5.2). */
const steps_around = 1;

/** The data for an authenticator app: the secret in base32 (160 random bits), and a URI with the same secret for a QR code. */
export type Provisioning = { readonly secret: string; readonly provisioning_uri: string };

/** Creates a secret for a user, whom the authenticator app names by what they log in with. */
export function createProvisioning(login_name: string): Provisioning {
  const secret = new Secret({ size: 20 });
  const totp = new TOTP({ ...settings, issuer: 'Tessera', label: login_name, secret });
  return { secret: secret.base32, provisioning_uri: totp.toString() };
}

/** Finds the 30-second step near `now` to which a code belongs; undefined for a wrong code. */
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
