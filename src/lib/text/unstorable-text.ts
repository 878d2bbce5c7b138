/**
 * Finds text that PostgreSQL cannot store in a value parsed from JSON, keys included: NUL, and half of a surrogate pair (RFC 8259 section
 * 8.2 permits both as escapes). The recursion is bounded by the limit on the nesting of a body.
 *
 * @returns the RFC 6901 pointer to the first occurrence, or undefined.
 */
export function findUnstorableText(value: unknown, at = ''): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : at;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return at;
    const pointer = findUnstorableText(inner, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (pointer !== undefined) return pointer;
  }
  return undefined;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
