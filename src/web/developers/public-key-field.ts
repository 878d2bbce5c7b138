import type * as serviceKeys from '#modules/access/service-keys';
import { createFieldRefusal } from '#lib/refusal.ts';
import type { OperationInput } from '#platform/operation.ts';
import type { Field } from '../parts/form.ts';
import type { Visit } from '../serving/page.ts';

type PublicKey = OperationInput<typeof serviceKeys.registerPublicKey>['public_key'];

/** Builds the field for the public key of a program. */
export function buildPublicKeyField({ texts: { newServiceKey: texts } }: Visit): Field {
  return { name: 'public_key', label: texts.publicKey, lines: 4, maxlength: 4_000 };
}

/**
 * Reads the public key of a form; undefined for an empty field. The operation checks what kind of key it is.
 *
 * @throws Refusal `field_invalid` for what is no object of JSON.
 */
export function readPublicKey(text = ''): PublicKey | undefined {
  if (text.trim() === '') return undefined;
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as PublicKey;
  } catch {
    // It is no JSON.
  }
  throw createFieldRefusal(
    'field_invalid',
    '/public_key',
    'must be a public key as JWK, such as {"kty":"OKP","crv":"Ed25519","x":"…"}',
  );
}
