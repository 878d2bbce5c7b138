import { inflateSync } from 'node:zlib';

/** Reads the text of a PDF that the service has written, one line for each piece of text, in the order of its pages. */
export function readPdfText(file: Buffer): string {
  const objects = readObjects(file.toString('latin1'));
  const fonts = readFonts(objects);
  return [...objects.values()]
    .filter(({ content }) => / TJ\b/.test(content))
    .map(({ content }) => readStream(content, fonts))
    .join('\n');
}

type PdfObject = { readonly head: string; readonly content: string };

/** All objects of the file by their number, their streams inflated. */
function readObjects(file: string): ReadonlyMap<string, PdfObject> {
  const found = [...file.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)];
  return new Map(
    found.map(([, id = '', body = '']) => {
      const [head = '', stream] = body.split(/\nstream\n/, 2);
      return [id, { head, content: stream === undefined ? '' : decodeStream(head, stream) }];
    }),
  );
}

function decodeStream(head: string, stream: string): string {
  const bytes = Buffer.from(stream.replace(/\nendstream$/, ''), 'latin1');
  return head.includes('/FlateDecode') ? inflateSync(bytes).toString('latin1') : bytes.toString('latin1');
}

type Characters = ReadonlyMap<number, string>;

/** The characters of each font, by the name that pages have for it. */
function readFonts(objects: ReadonlyMap<string, PdfObject>): ReadonlyMap<string, Characters> {
  const names = [...objects.values()].flatMap(({ head }) => [...head.matchAll(/\/(F\d+) (\d+) 0 R/g)]);
  return new Map(
    names.map(([, name = '', id = '']) => {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.head ?? '') ?? [];
      return [name, readCharacters(objects.get(map)?.content ?? '')];
    }),
  );
}

function readCharacters(map: string): Characters {
  const ranges = [...map.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/gi)];
  return new Map(
    ranges.flatMap(([, first = '', list = '']) =>
      [...list.matchAll(/<([0-9a-f ]+)>/gi)].map(
        ([, hex = ''], index) => [parseInt(first, 16) + index, readUtf16(hex)] as const,
      ),
    ),
  );
}

function readUtf16(hex: string): string {
  const units = hex.replaceAll(' ', '').match(/.{4}/g) ?? [];
  return String.fromCharCode(...units.map((unit) => parseInt(unit, 16)));
}

function readStream(content: string, fonts: ReadonlyMap<string, Characters>): string {
  let characters: Characters | undefined;
  const lines: string[] = [];
  for (const [, name, pieces = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g))
    if (name === undefined) lines.push(readPieces(pieces, characters));
    else characters = fonts.get(name);
  return lines.join('\n');
}

function readPieces(pieces: string, characters: Characters | undefined): string {
  const codes = [...pieces.matchAll(/<([0-9a-f]+)>/gi)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
  return codes.map((code) => characters?.get(parseInt(code, 16)) ?? '\u{fffd}').join('');
}
