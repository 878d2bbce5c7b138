import { decodeJwt, errors, importJWK, jwtVerify } from 'jose';
import { Value } from 'typebox/value';
import { Type } from 'typebox';
import type { Config } from '#platform/config.ts';
import { uuid } from '#platform/schema.ts';
import { listAlgorithms } from './public-key.ts';
import type { PublicKey } from './rules.ts';

/** The longest life of an assertion, because it is remembered until it expires, and how far the clock of its program may be ahead. */
const [life_seconds_max, clock_seconds] = [300, 10];
const characters_max = 4_096;

/** What an assertion says about itself (RFC 7523, section 3). Other claims are ignored. */
const claims = Type.Object({
  iss: uuid,
  sub: uuid,
  aud: Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1, maxItems: 1 })]),
  exp: Type.Number(),
  jti: Type.String({ minLength: 1, maxLength: 200 }),
});

/** An assertion that cannot be accepted, with a sentence for its developer. */
export class AssertionError extends Error {}

/** Reads which service key an assertion claims to be of, unverified. @throws AssertionError */
export function readClaimedKey(assertion: string): string {
  if (assertion.length > characters_max)
    throw new AssertionError('The assertion has more than 4,096 characters.');
  const payload = readPayload(assertion);
  if (!Value.Check(claims, payload) || payload.iss !== payload.sub)
    throw new AssertionError(
      'The assertion needs iss and sub with the id of the service key, aud, exp and jti.',
    );
  return payload.sub;
}

function readPayload(assertion: string): unknown {
  try {
    return decodeJwt(assertion);
  } catch {
    throw new AssertionError('The assertion is not a signed JWT.');
  }
}

/**
 * Verifies an assertion of a service key by one of its public keys (RFC 7523): signature, audience, times and life.
 *
 * @returns its id, for which one token may be issued.
 * @throws AssertionError
 */
export async function verifyAssertion(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  assertion: string,
  { id, keys, now }: { readonly id: string; readonly keys: readonly PublicKey[]; readonly now: Date },
): Promise<string> {
  let fault = new AssertionError('The service key is unknown.');
  for (const key of keys)
    try {
      return await verifyByKey(publicUrl, assertion, { id, key, now });
    } catch (error) {
      fault = toAssertionError(error);
    }
  throw fault;
}

async function verifyByKey(
  publicUrl: string,
  assertion: string,
  { id, key, now }: { readonly id: string; readonly key: PublicKey; readonly now: Date },
): Promise<string> {
  const [algorithm] = listAlgorithms(key);
  const { payload } = await jwtVerify(assertion, await importJWK({ ...key }, algorithm), {
    algorithms: [...listAlgorithms(key)],
    issuer: id,
    subject: id,
    audience: [publicUrl, `${publicUrl}/oauth/token`],
    currentDate: now,
    clockTolerance: clock_seconds,
    requiredClaims: ['exp', 'jti'],
  });
  if (payload.exp! > now.getTime() / 1000 + life_seconds_max + clock_seconds)
    throw new AssertionError(`exp must be within ${life_seconds_max} seconds.`);
  return payload.jti!;
}

function toAssertionError(error: unknown): AssertionError {
  if (error instanceof AssertionError) return error;
  if (error instanceof errors.JWTExpired) return new AssertionError('The assertion has expired.');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new AssertionError(`The claim ${error.claim} is missing or wrong.`);
  if (error instanceof errors.JOSEError)
    return new AssertionError('The signature is not by a public key of this service key.');
  throw error;
}
