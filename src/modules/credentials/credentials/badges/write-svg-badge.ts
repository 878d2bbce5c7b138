/**
 * Puts a badge into a drawing of this service, which has none: an element directly after the first tag (Open Badges 3.0, section 5.3.2).
 *
 * @param badge JSON.
 */
export function writeSvgBadge(drawing: string, badge: string): string {
  const namespace = 'xmlns:openbadges="https://purl.imsglobal.org/ob/v3p0"';
  const element = `<openbadges:credential><![CDATA[${escapeSectionEnd(badge)}]]></openbadges:credential>`;
  // A function, because a text that replaces gives `$` a meaning.
  return drawing.replace(
    /^<svg ([^>]*)>/,
    (_, attributes: string) => `<svg ${namespace} ${attributes}>${element}`,
  );
}

/** Writes what would end the section of XML so that JSON still reads the same characters. */
function escapeSectionEnd(json: string): string {
  return json.replaceAll(']]>', ']]\\u003e');
}
