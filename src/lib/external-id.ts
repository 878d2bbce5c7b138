import { formatUuid } from '#lib/text/format-uuid.ts';

/** Crockford's base32. It has no I, L, O and U, so that ids are not misread and spell no words by accident. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The hexadecimal digits of an id that an external id shows: 40 bits are exactly eight characters. */
const shown_digits = 10;
const shown_characters = 8;

/**
 * Formats a short form of an id that can be read aloud, such as `MBR-7K3M9QXZ`: a prefix and the first 40 bits of the UUID in Crockford
 * base32. It is a label and not a key: among a million, two have the same one with a probability of 37 %. Only a search by people uses it, which may find several.
 */
export function formatExternalId(prefix: Uppercase<string>, id: string): string {
  let rest = Number.parseInt(id.replaceAll('-', '').slice(0, shown_digits), 16);
  let characters = '';
  for (let place = 0; place < shown_characters; place++) {
    characters = `${alphabet[rest % 32]}${characters}`;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}-${characters}`;
}

const externalId = /^([A-Z]{1,8})-[0-9A-HJKMNP-TV-Z]{8}$/;

/** Whether a text has the form of an external id with a prefix, in capital letters. */
export function isExternalId(prefix: Uppercase<string>, text: string): boolean {
  return externalId.exec(text)?.[1] === prefix;
}

/** The lowest and the highest UUID with this external id, which has the form of {@link formatExternalId}. */
export function computeIdRange(external_id: string): readonly [first: string, last: string] {
  const bits = Array.from(external_id.slice(-8)).reduce(
    (sum, character) => (sum << 5n) | BigInt(alphabet.indexOf(character)),
    0n,
  );
  const shown = bits.toString(16).padStart(shown_digits, '0');
  return [formatUuid(shown.padEnd(32, '0')), formatUuid(shown.padEnd(32, 'f'))];
}
