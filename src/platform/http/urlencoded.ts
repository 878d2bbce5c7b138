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
