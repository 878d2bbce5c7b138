import type PdfDocument from 'pdfkit';
import { selectFont } from './select-font.ts';
import { openFont, splitByFont, type FontName, type FontRun } from './fonts.ts';
import { removeDirectionOverrides } from './remove-direction-overrides.ts';

type Pdf = InstanceType<typeof PdfDocument>;

/** Text that is set line by line: its size, the width of its lines, and the font for characters that it has. */
export type Setting = { readonly size: number; readonly width: number; readonly font?: FontName };

/** A line of text, in runs of one font each. */
export type Line = { readonly runs: readonly FontRun[]; readonly width: number };

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Breaks a text into lines of at most the width of the setting, between words where it has several. */
export function breakIntoLines(pdf: Pdf, text: string, setting: Setting): readonly Line[] {
  const clean = removeDirectionOverrides(text)
    .replaceAll(/[\s\v\u0085\u2028\u2029]+/gu, ' ')
    .trim();
  const lines: Line[] = [];
  let current = '';
  for (const part of listParts(pdf, clean, setting)) {
    const line = measureLine(pdf, (current + part).trimEnd(), setting);
    if (current !== '' && line.width > setting.width) {
      lines.push(measureLine(pdf, current.trimEnd(), setting));
      current = part;
    } else current += part;
  }
  if (current !== '') lines.push(measureLine(pdf, current.trimEnd(), setting));
  return lines;
}

/** The words with the spaces after them. A word that is wider than a line is taken apart. */
function listParts(pdf: Pdf, text: string, setting: Setting): readonly string[] {
  return text.split(/(?<= )/).flatMap((word) => {
    const isWide = measureLine(pdf, word.trimEnd(), setting).width > setting.width;
    return isWide ? Array.from(graphemes.segment(word), ({ segment }) => segment) : [word];
  });
}

function measureLine(pdf: Pdf, text: string, { size, font }: Setting): Line {
  const runs = splitRuns(text, font);
  pdf.fontSize(size);
  const widths = runs.map((run) => {
    selectFont(pdf, run.font);
    return pdf.widthOfString(run.text);
  });
  return { runs, width: widths.reduce((sum, width) => sum + width, 0) };
}

/** One run in the font of the setting if that has all characters, or else runs by character. */
function splitRuns(text: string, font: FontName | undefined): readonly FontRun[] {
  const hasAll =
    font !== undefined &&
    Array.from(text).every((each) => openFont(font).hasGlyphForCodePoint(each.codePointAt(0)!));
  return hasAll ? [{ font, text }] : splitByFont(text).runs;
}

/** Draws lines below each other, centred on `x`. @returns the height below them. */
export function drawCentred(
  pdf: Pdf,
  lines: readonly Line[],
  {
    x,
    y,
    size,
    leading,
  }: { readonly x: number; readonly y: number; readonly size: number; readonly leading: number },
): number {
  pdf.fontSize(size);
  for (const [index, { runs, width }] of lines.entries()) {
    let left = x - width / 2;
    for (const { font, text } of runs) {
      selectFont(pdf, font);
      pdf.text(text, left, y + index * leading, { lineBreak: false });
      left += pdf.widthOfString(text);
    }
  }
  return y + lines.length * leading;
}
