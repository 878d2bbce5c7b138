import { decodePart, decodeSpaces, splitPair } from '#platform/http/form.ts';

/** The fields of a query: a string, or a list of strings if a name appears more than once. */
export type Query = Record<string, string | string[]>;

/**
 * Reads the query of a URL (`application/x-www-form-urlencoded`, URL Standard section 5.1). Text with invalid encoding stays unchanged.
 * The framework's parser examines every character, which took a tenth of the time of a request with a token in its URL. This function
 * splits the text with native code, and decodes it only if something is encoded.
 */
export function readQuery(text: string): Query {
  // Without a prototype, so that a field can have any name.
  const query = Object.create(null) as Query;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const [rawName, rawValue] = splitPair(pair);
    const [name, value] = [decodeLeniently(rawName), decodeLeniently(rawValue)];
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}

function decodeLeniently(text: string): string {
  return decodePart(text) ?? decodeSpaces(text);
}
