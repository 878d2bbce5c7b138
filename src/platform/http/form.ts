import { isAscii } from 'node:buffer';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { findUnstorableText } from '#lib/text/unstorable-text.ts';
import { decodePart, splitPair } from '#platform/http/urlencoded.ts';

/** Reads an `application/x-www-form-urlencoded` body. A field that appears twice, too many fields and invalid encoding are refused. */
export function readForm(bytes: Buffer, fields_max = 20): Readonly<Record<string, string>> | Refusal {
  const createMalformedRefusal = (detail: string) => new Refusal('body_malformed', { detail });
  // Characters beyond ASCII must be percent-encoded UTF-8 (URL Standard section 5).
  if (!isAscii(bytes)) return createMalformedRefusal('The form is not percent-encoded.');
  const text = bytes.toString('latin1');
  const pairs = text.split('&', fields_max + 1).filter((pair) => pair !== '');
  if (pairs.length > fields_max)
    return createMalformedRefusal(`The form has more than ${fields_max} fields.`);
  // Without a prototype, so that a field can have any name.
  const fields = Object.create(null) as Record<string, string>;
  for (const pair of pairs) {
    const [name, value] = splitPair(pair).map(decodePart);
    if (name === undefined || value === undefined)
      return createMalformedRefusal('The form is not percent-encoded UTF-8.');
    if (name in fields) return createMalformedRefusal('A field appears twice in the form.');
    fields[name] = value;
  }
  const pointer = findUnstorableText(fields);
  return pointer === undefined
    ? { ...fields }
    : createFieldRefusal('field_invalid', pointer, 'must not contain a NUL');
}
