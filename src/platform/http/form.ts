import { isAscii } from 'node:buffer';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { findUnstorableText } from '#lib/text/unstorable-text.ts';

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
  return refuseUnstorable(fields);
}

/**
 * Reads a `multipart/form-data` body (RFC 7578), in which a form has a file. A file is read as base64, and one that was not chosen as empty text. What
 * {@link readForm} refuses is refused here.
 *
 * @param media_type The Content-Type of the request, with its boundary.
 */
export async function readFormWithFiles(
  bytes: Buffer,
  media_type: string,
  fields_max = 20,
): Promise<Readonly<Record<string, string>> | Refusal> {
  const createMalformedRefusal = (detail: string) => new Refusal('body_malformed', { detail });
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': media_type } });
  // Bodies are bounded, and another parser would be one more dependency.
  // oxlint-disable-next-line typescript/no-deprecated
  const parts = await body.formData().then(
    (data) => [...data],
    () => undefined,
  );
  if (parts === undefined) return createMalformedRefusal('The form is not multipart/form-data.');
  if (parts.length > fields_max)
    return createMalformedRefusal(`The form has more than ${fields_max} fields.`);
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of parts) {
    if (name in fields) return createMalformedRefusal('A field appears twice in the form.');
    fields[name] =
      typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer()).toString('base64');
  }
  return refuseUnstorable(fields);
}

function refuseUnstorable(fields: Readonly<Record<string, string>>): typeof fields | Refusal {
  const pointer = findUnstorableText(fields);
  return pointer === undefined
    ? { ...fields }
    : createFieldRefusal('field_invalid', pointer, 'must not contain a NUL');
}

/** Splits a pair into its encoded name and value. The value is empty if the pair has no `=`. */
export function splitPair(pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** Decodes a name or a value (URL Standard section 5.1). Returns undefined if it is not percent-encoded UTF-8. */
export function decodePart(text: string): string | undefined {
  const spaced = decodeSpaces(text);
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** Replaces each `+` by a space and changes nothing else. */
export function decodeSpaces(text: string): string {
  return text.includes('+') ? text.replaceAll('+', ' ') : text;
}
