/**
 * Writes a JSON value in one way only: the keys of objects sorted by their UTF-16 code units, and no spaces (RFC 8785). Numbers and texts are
 * written as `JSON.stringify` writes them.
 *
 * @param value Plain JSON: no undefined, no dates.
 */
export function writeCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(writeCanonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${writeCanonicalJson(inner)}`);
  return `{${fields.join(',')}}`;
}
