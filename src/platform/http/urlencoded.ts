/** The name and the value of a pair as they are written: the value is empty where there is no `=`. */
export function splitPair(pair: string): readonly [name: string, value: string] {
  const equals = pair.indexOf('=');
  return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
}

/** A name or a value as it is meant (URL Standard section 5.1); undefined where it is not percent-encoded UTF-8. */
export function decodePart(written: string): string | undefined {
  const spaced = decodeSpaces(written);
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}

/** The text with its spaces, and everything else as it is written. */
export function decodeSpaces(written: string): string {
  return written.includes('+') ? written.replaceAll('+', ' ') : written;
}
