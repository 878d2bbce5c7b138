import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** Reading a key takes about 0.1 ms. */
const keys_max = 100;

/** The members of a key that a client may leave empty, which is the same as leaving them out. */
const optional_members: ReadonlySet<string> = new Set([
  'alg',
  'kid',
  'use',
  'key_ops',
  'x5c',
  'x5t',
  'x5t#S256',
  'x5u',
]);

const private_members = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

/**
 * Selects the keys of a set (RFC 7517, section 5) by which a client can be known. A set may have others: of kinds that do not exist here, incomplete, symmetric, or with
 * their private part, which proves nothing any more. The library would refuse the whole set for one of them.
 *
 * @returns the set as it is if no key can be used, for the library to refuse.
 */
export function selectKeys(set: unknown): unknown {
  const { keys } = (set ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys) || keys.length > keys_max) return set;
  const usable = keys.filter(isUsable).map(removeEmptyMembers);
  return usable.length === 0 ? set : { keys: usable };
}

function isUsable(key: unknown): key is JsonWebKey {
  if (typeof key !== 'object' || key === null || private_members.some((name) => name in key)) return false;
  try {
    createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

function removeEmptyMembers(key: JsonWebKey): object {
  const isEmpty = (value: unknown) =>
    value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(key).filter(([name, value]) => !(optional_members.has(name) && isEmpty(value))),
  );
}
