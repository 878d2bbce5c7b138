import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { Refusal } from '#lib/refusal.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { mayHaveSignedAt } from '#platform/security/published-keys.ts';
import type { Platform } from '#platform/platform.ts';
import { closedObject } from '#platform/schema.ts';
import { access_token_type } from './access-token.ts';

const characters_max = 4_096;
/** The largest tolerated difference between the clocks of nodes that share a database. */
const future_seconds_max = 60;

/** The scheme is case-insensitive (RFC 9110 section 11.1). */
const bearer = /^bearer +([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/i;

/** Exactly the header that we write. A header with a key (jwk, jku, x5u) or with critical extensions (crit) is refused. */
const headerSchema = closedObject({
  alg: Type.Enum(['ES256', 'RS256']),
  kid: Type.String({ maxLength: 100 }),
  typ: Type.Enum([access_token_type]),
});

/**
 * Verifies a token of an Authorization header that a key for access tokens signed, for one audience: form, signature, issuer, expiry and age of
 * the key. The caller checks its claims.
 *
 * @throws Refusal `token_invalid`, `token_expired`.
 */
export async function verifyBearerToken(
  platform: Platform,
  authorization: string,
  audience: string,
): Promise<JWTPayload> {
  const token = readBearerToken(authorization);
  const key = await requireSigningKey(platform, token);
  const payload = await verifyPayload(platform, { token, key, audience });
  const { iat } = payload;
  if (!Number.isSafeInteger(iat)) throw new Refusal('token_invalid');
  const issued_at_ms = iat! * 1000;
  if (issued_at_ms > platform.now().getTime() + future_seconds_max * 1000) throw new Refusal('token_invalid');
  // Together with the lifetime of the token, this ends the acceptance of a retired key when the last token that it signed expires.
  if (!mayHaveSignedAt(key, issued_at_ms)) throw new Refusal('token_invalid');
  return payload;
}

/** Reads the token and accepts only one spelling of it: base64url without padding, stray bits or line breaks (RFC 7515 section 2). */
function readBearerToken(authorization: string): string {
  const parts = authorization.length <= characters_max ? bearer.exec(authorization)?.slice(1) : undefined;
  if (!parts?.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part))
    throw new Refusal('token_invalid');
  return parts.join('.');
}

async function requireSigningKey({ keys }: Platform, token: string): Promise<SigningKey> {
  const header = readHeader(token);
  if (!Value.Check(headerSchema, header)) throw new Refusal('token_invalid');
  const key = await keys.find('access_token', header.kid);
  if (key?.algorithm !== header.alg) throw new Refusal('token_invalid');
  return key;
}

function readHeader(token: string): unknown {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw new Refusal('token_invalid');
  }
}

async function verifyPayload(
  { config, now }: Platform,
  { token, key, audience }: { readonly token: string; readonly key: SigningKey; readonly audience: string },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key.publicKey, {
      algorithms: [key.algorithm],
      typ: access_token_type,
      issuer: config.publicUrl,
      audience,
      currentDate: now(),
    });
    return payload;
  } catch (error) {
    throw new Refusal(error instanceof errors.JWTExpired ? 'token_expired' : 'token_invalid');
  }
}
