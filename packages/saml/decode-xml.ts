/**
 * Decodes the bytes of an XML document whose signature nobody verifies: by its byte order mark, as UTF-16 if every other byte of its start is zero, as UTF-8 if it is
 * that, whatever it says, and else as its declaration says (XML 1.0, appendix F). Tools save a document in another encoding than the one that it names.
 *
 * @returns undefined if the bytes are not text of that encoding.
 */
export function decodeXml(bytes: Buffer): string | undefined {
  const wide = findWideEncoding(bytes);
  if (wide !== undefined) return decode(wide, bytes);
  const declared = /^[^<]{0,100}<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(
    bytes.toString('latin1', 0, 400),
  )?.[1];
  return decode('utf-8', bytes) ?? (declared === undefined ? undefined : decode(declared, bytes));
}

function findWideEncoding([first, second]: Buffer): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? 'utf-16be' : undefined;
}

/** An unknown encoding, and bytes that it does not have, are errors of the decoder. */
function decode(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
