import { createPublicKey } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { closedObject, field } from '#platform/schema.ts';
import type { PublicKey } from './rules.ts';

const buildBase64Field = (maxLength: number, description: string, example: string) =>
  Type.Optional(
    field(Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' }), description, example),
  );

/** A public key in the form of RFC 7517. What a private key has besides is an unknown field, and refused. */
export const publicKeyInput = closedObject(
  {
    kty: field(Type.Enum(['EC', 'OKP', 'RSA']), 'The kind of key.', 'EC'),
    crv: Type.Optional(field(Type.Enum(['P-256', 'Ed25519']), 'The curve, of EC and OKP.', 'P-256')),
    x: buildBase64Field(64, 'Of EC and OKP.', 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'),
    y: buildBase64Field(64, 'Of EC.', 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0'),
    n: buildBase64Field(700, 'The modulus, of RSA: 2048 to 4096 bits.', 'sXchDaQ…'),
    e: buildBase64Field(8, 'The exponent, of RSA.', 'AQAB'),
    kid: Type.Optional(field(Type.String({ maxLength: 200 }), 'Ignored.', 'key-1')),
    use: Type.Optional(field(Type.Enum(['sig']), 'Ignored.', 'sig')),
    alg: Type.Optional(
      field(Type.Enum(['ES256', 'EdDSA', 'Ed25519', 'RS256']), 'Ignored: the key decides.', 'ES256'),
    ),
  },
  {
    description: 'The public key as JWK: P-256, Ed25519, or RSA with 2048 to 4096 bits.',
    examples: [
      {
        kty: 'EC',
        crv: 'P-256',
        x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
        y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      },
    ],
  },
);

const [rsa_bits_min, rsa_bits_max] = [2_048, 4_096];

/**
 * Reads a public key that a client gave.
 *
 * @returns its members without those that are ignored.
 * @throws Refusal `field_invalid`.
 */
export function readPublicKey({ kty, crv, x, y, n, e }: Static<typeof publicKeyInput>): PublicKey {
  const key = Object.fromEntries(
    Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined),
  ) as PublicKey;
  if (!isAccepted(key))
    throw createFieldRefusal(
      'field_invalid',
      '/public_key',
      'must be a key of P-256, Ed25519, or RSA with 2048 to 4096 bits',
    );
  return key;
}

function isAccepted(key: PublicKey): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPublicKey({
      key,
      format: 'jwk',
    });
    const { modulusLength: bits = 0, namedCurve } = asymmetricKeyDetails ?? {};
    if (asymmetricKeyType === 'rsa') return bits >= rsa_bits_min && bits <= rsa_bits_max;
    return asymmetricKeyType === 'ed25519' || (asymmetricKeyType === 'ec' && namedCurve === 'prime256v1');
  } catch {
    return false;
  }
}

/** The algorithms of signatures by a key (RFC 7518, RFC 8037, RFC 9864). */
export function listAlgorithms({ kty }: Pick<PublicKey, 'kty'>): readonly string[] {
  if (kty === 'EC') return ['ES256'];
  return kty === 'RSA' ? ['RS256'] : ['EdDSA', 'Ed25519'];
}
