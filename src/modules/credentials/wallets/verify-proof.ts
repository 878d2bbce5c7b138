import { decodeProtectedHeader, importJWK, jwtVerify, type JWTPayload } from 'jose';
import { proof_algorithms } from './configurations.ts';
import { readHolderKey, type HolderKey } from './holder-key.ts';
import { ProtocolError } from './protocol-error.ts';

/** A proof with a verified signature. Its nonce is not checked yet. */
export type Proof = { readonly holder: HolderKey; readonly nonce: string };

const age_seconds_max = 300;
const tolerance_seconds = 60;
const proof_characters_max = 8_192;

/**
 * Verifies the type, signature, audience and age of a proof of possession (OpenID4VCI 1.0 appendix F.1). Its header names the key.
 *
 * @throws ProtocolError `invalid_proof`, or `invalid_nonce` if it has no nonce.
 */
export async function verifyProof(jwt: unknown, audience: string, now: Date): Promise<Proof> {
  if (typeof jwt !== 'string' || jwt.length > proof_characters_max)
    throw createProofError('The proof must be a JWT.');
  const holder = readHolderKey(readHeader(jwt));
  if (!holder)
    throw createProofError(
      'The header must name a P-256 or Ed25519 key, either by jwk or by a kid with a did:jwk or did:key.',
    );
  const { nonce, iat } = await verifyPayload(jwt, holder, audience, now);
  if (iat === undefined) throw createProofError('The proof has no iat.');
  if (typeof nonce !== 'string') throw new ProtocolError('invalid_nonce', 'The proof has no nonce.');
  return { holder, nonce };
}

function readHeader(jwt: string): { readonly jwk?: unknown; readonly kid?: unknown } {
  try {
    return decodeProtectedHeader(jwt);
  } catch {
    throw createProofError('The proof must be a JWT.');
  }
}

async function verifyPayload(
  jwt: string,
  { jwk }: HolderKey,
  audience: string,
  now: Date,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(jwt, await importJWK(jwk, jwk.kty === 'EC' ? 'ES256' : 'EdDSA'), {
      algorithms: proof_algorithms,
      typ: 'openid4vci-proof+jwt',
      audience,
      currentDate: now,
      maxTokenAge: age_seconds_max,
      clockTolerance: tolerance_seconds,
    });
    return payload;
  } catch (error) {
    throw createProofError(
      `The proof could not be verified: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
}

function createProofError(description: string): ProtocolError {
  return new ProtocolError('invalid_proof', description);
}
