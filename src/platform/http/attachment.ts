/**
 * Builds the headers of a file that browsers save and do not display (RFC 6266). The name has letters, digits, `.`, `_` and `-` only, so
 * that it needs no escaping and no second form, and is a valid name on every system.
 *
 * @throws Error for another name, which is a defect.
 */
export function describeAttachment(
  source: string,
  media_type: string,
  filename: string,
): Readonly<Record<'content-type' | 'content-disposition', string>> {
  if (!/^[\w.-]{1,100}$/.test(filename)) throw new Error(`${source} returned a file with an unsafe name`);
  return { 'content-type': media_type, 'content-disposition': `attachment; filename="${filename}"` };
}
