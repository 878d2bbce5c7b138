import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import { create, openSync, type Font } from 'fontkit';

/** Text in one font. */
export type FontRun = { readonly font: FontName; readonly text: string };
export type FontName = 'plain' | 'bold' | 'wide_bold' | 'display' | (typeof fallbacks)[number];

/** The fonts for characters that `plain` lacks, in the order in which they are tried. */
const fallbacks = ['extended', 'wide', 'han', 'hangul', 'devanagari', 'thai', 'emoji'] as const;

const fonts: Readonly<Record<FontName, () => Font>> = {
  plain: prepareFont('@fontsource/figtree/files/figtree-latin-400-normal.woff'),
  bold: prepareFont('@fontsource/figtree/files/figtree-latin-600-normal.woff'),
  extended: prepareFont('@fontsource/figtree/files/figtree-latin-ext-400-normal.woff'),
  wide: prepareFont('@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff'),
  wide_bold: prepareFont('@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff'),
  display: prepareFont('@fontsource/marcellus/files/marcellus-latin-400-normal.woff'),
  han: prepareFont('@librescore/fonts/SourceHanSansCN.min.woff2'),
  hangul: prepareFont('@librescore/fonts/SourceHanSansKR.min.woff2'),
  devanagari: prepareFont(
    '@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-devanagari-400-normal.woff',
  ),
  thai: prepareFont('@fontsource/noto-sans-thai/files/noto-sans-thai-thai-400-normal.woff'),
  emoji: prepareFont('@fontsource/noto-emoji/files/noto-emoji-emoji-400-normal.woff'),
};

function prepareFont(file: string): () => Font {
  let opened: Font | undefined;
  return () => (opened ??= readFont(createRequire(import.meta.url).resolve(file)));
}

/** Opens a font once per process, because reading a font takes about ten times as long as writing a page. */
export function openFont(name: FontName): Font {
  return fonts[name]();
}

/** Chooses one font for a text that is drawn whole: the first of these that has all of its characters, or else the last. */
export function chooseFontOfWhole(text: string, names: readonly [FontName, ...FontName[]]): FontName {
  const characters = Array.from(text, (each) => each.codePointAt(0)!);
  const hasAll = (name: FontName) => characters.every((code) => openFont(name).hasGlyphForCodePoint(code));
  return names.find(hasAll) ?? names.at(-1)!;
}

/** The fonts of a heading: the one of display, or a bold one where a character is beyond it. */
export const headingFonts = ['display', 'bold', 'wide_bold'] as const;

/**
 * Splits a text into runs that one font can draw. Combining marks and joiners stay with the character before them if its font has them, and
 * an emoji of several characters, such as a flag or a family, is drawn by one font as one picture. A character that no font has becomes �,
 * and `replaced` is then true.
 */
export function splitByFont(text: string): { readonly runs: readonly FontRun[]; readonly replaced: boolean } {
  const runs: { font: FontName; text: string }[] = [];
  let replaced = false;
  for (const part of text.match(emojiOrCharacter) ?? []) {
    const last = runs.at(-1);
    const font = isEmoji(part) ? 'emoji' : chooseFont(part, last?.font);
    if (font === undefined) replaced = true;
    const chosen = font ?? 'wide';
    const drawn = font === undefined ? '�' : part;
    if (last?.font === chosen) last.text += drawn;
    else runs.push({ font: chosen, text: drawn });
  }
  return { runs, replaced };
}

/** The emoji that Unicode recommends for interchange (UTS #51), of one or more characters; otherwise one character. */
const emojiOrCharacter = /\p{RGI_Emoji}|[^]/gv;
const onlyEmoji = /^\p{RGI_Emoji}$/v;

/** Whether a text is one emoji, and the font has every character of it: a later version of Unicode may have more. */
function isEmoji(text: string): boolean {
  const hasGlyph = (character: string) => openFont('emoji').hasGlyphForCodePoint(character.codePointAt(0)!);
  return onlyEmoji.test(text) && Array.from(text).every(hasGlyph);
}

function chooseFont(character: string, before: FontName | undefined): FontName | undefined {
  if (character === '\n') return before ?? 'plain';
  const chain: readonly FontName[] = ['plain', ...fallbacks];
  const stays = before !== undefined && /[\p{M}\p{Join_Control}]/u.test(character);
  const order = stays ? [before, ...chain] : chain;
  return order.find((name) => openFont(name).hasGlyphForCodePoint(character.codePointAt(0)!));
}

/** Unpacks WOFF files, because fontkit inflates their tables again for every glyph: a page takes 1.6 s from WOFF and 20 ms from sfnt. */
function readFont(file: string): Font {
  return file.endsWith('.woff') ? create(unpackWoff(readFileSync(file))) : openSync(file);
}

type Table = { readonly entry: Buffer; readonly data: Buffer };

/** Converts a WOFF file (W3C WOFF 1.0, sections 3 to 5) back to the sfnt font in it. */
function unpackWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => readTable(woff, 44 + 20 * index));
  const header = Buffer.alloc(12 + 16 * count);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  let offset = header.length;
  for (const [index, { entry, data }] of tables.entries()) {
    const at = 12 + 16 * index;
    // Tag and checksum are copied from the entry of the WOFF file.
    entry.copy(header, at, 0, 4);
    entry.copy(header, at + 4, 16, 20);
    header.writeUInt32BE(offset, at + 8);
    header.writeUInt32BE(data.length, at + 12);
    offset += data.length;
  }
  return Buffer.concat([header, ...tables.map(({ data }) => data)]);
}

function readTable(woff: Buffer, at: number): Table {
  const offset = woff.readUInt32BE(at + 4);
  const packed_bytes = woff.readUInt32BE(at + 8);
  const bytes = woff.readUInt32BE(at + 12);
  const packed = woff.subarray(offset, offset + packed_bytes);
  return {
    entry: woff.subarray(at, at + 20),
    data: packed_bytes < bytes ? inflateSync(packed, { maxOutputLength: bytes }) : packed,
  };
}
