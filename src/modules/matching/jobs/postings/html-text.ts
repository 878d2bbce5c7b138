/** The text of an HTML document, with a line for each block, and the contents of its JSON-LD scripts. */
export type HtmlContents = { readonly text: string; readonly json_ld: readonly string[] };

/** Elements whose contents are left out. */
const unread = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg', 'iframe']);

/** Elements that begin a new line. */
const blocks = new Set(
  'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);

/**
 * Reads an HTML document, or a text without any markup. Nothing of it runs: scripts, styles and comments are left out, and the JSON-LD is returned apart. A `<` that begins no tag is text.
 * Each search goes on where the one before it ended, so the time grows with the length only.
 */
export function readHtml(html: string): HtmlContents {
  const [parts, json_ld]: [string[], string[]] = [[], []];
  let place = 0;
  while (place < html.length) {
    const start = html.indexOf('<', place);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end < 0) break;
    parts.push(html.slice(place, start));
    place = readMarkup(html, { start, end }, parts, json_ld);
  }
  parts.push(html.slice(place));
  return { text: formatLines(decodeEntities(parts.join(''))), json_ld };
}

type Markup = { readonly start: number; readonly end: number };

/** Reads what looks like markup. @returns where the reading goes on. */
function readMarkup(html: string, { start, end }: Markup, parts: string[], json_ld: string[]): number {
  if (html.startsWith('<!--', start)) return findEnd(html, '-->', start);
  const tag = html.slice(start, end + 1);
  if (tag.startsWith('<!') || tag.startsWith('<?')) return end + 1;
  const [, slash, written = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(tag) ?? [];
  const name = written.toLowerCase();
  if (name === '') {
    parts.push('<');
    return start + 1;
  }
  if (blocks.has(name)) parts.push(name === 'li' && slash === '' ? '\n- ' : '\n');
  if (slash !== '' || !unread.has(name)) return end + 1;
  const endTag = findEndTag(html, name, end + 1);
  if (name === 'script' && tag.toLowerCase().includes('application/ld+json'))
    json_ld.push(html.slice(end + 1, endTag));
  return findEnd(html, '>', endTag);
}

function findEndTag(html: string, name: string, start: number): number {
  for (let at = html.indexOf('</', start); at !== -1; at = html.indexOf('</', at + 2))
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  return html.length;
}

function findEnd(html: string, mark: string, start: number): number {
  const found = html.indexOf(mark, start);
  return found < 0 ? html.length : found + mark.length;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: '’',
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  hellip: '…',
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (written, decimal?: string, hex?: string, name?: string) =>
      name === undefined ? decodeNumber(decimal, hex) : (entities[name.toLowerCase()] ?? written),
  );
}

/** A number that is no character, or one that texts do not have, is a space. */
function decodeNumber(decimal = '', hex = ''): string {
  const code = decimal === '' ? Number.parseInt(hex, 16) : Number(decimal);
  const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : ' ';
}

/** One space between words, one empty line between paragraphs, none at both ends. */
function formatLines(text: string): string {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .map((line) => (line === '-' ? '' : line));
  return lines
    .filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim();
}
