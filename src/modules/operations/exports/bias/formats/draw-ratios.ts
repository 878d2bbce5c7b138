import type { Paper } from '@tessera/pdf';
import type { GroupRate } from '../compare-groups.ts';
import { flagWords, formatGroup, formatShare } from '../words.ts';

const margin_points = 56;
const row_points = 16;
const label_points = 150;
const words_points = 112;
const bar_points = 8;
const ratio_max = 1.5;
const four_fifths = 0.8;
const colours = {
  ink: '#1f1b16',
  quiet: '#62594c',
  bar: '#14665a',
  track: '#efe8da',
  mark: '#b4532f',
  unsure: '#b3a894',
} as const;

/**
 * Draws the impact ratios of a comparison as bars with their 95 % intervals, and lines at four fifths and at one. Screen readers read the sentence
 * `summary`; the table after it has the numbers.
 */
export function drawRatios(paper: Paper, rows: readonly GroupRate[], summary: string): void {
  const shown = rows.filter(({ impact_ratio }) => impact_ratio !== null);
  if (shown.length < 2) return;
  drawFigure(paper, { summary, lines: shown.length, room: 26, gap: 14 }, (place) => {
    for (const [index, row] of shown.entries()) drawRatio(paper.pdf, row, moveDown(place, index));
    const locate = (ratio: number) => place.left + (place.width * ratio) / ratio_max;
    const { top } = place;
    const bottom = top + shown.length * row_points;
    drawGuide(paper.pdf, '4/5', { x: locate(four_fifths), top, bottom });
    drawGuide(paper.pdf, '1', { x: locate(1), top, bottom });
  });
}

type Place = { readonly left: number; readonly width: number; readonly top: number };

type Figure = {
  readonly summary: string;
  readonly lines: number;
  /** What it needs besides its lines, and how far the text after it is below them. */
  readonly room: number;
  readonly gap: number;
};

/** Draws a figure of lines, each with a name at its left and words at its right. One that does not fit begins on the next page. */
function drawFigure(
  { pdf, root }: Paper,
  { summary, lines, room, gap }: Figure,
  draw: (place: Place) => void,
): void {
  const height = lines * row_points;
  if (pdf.y + height + room > pdf.page.height - margin_points - row_points) pdf.addPage();
  const top = pdf.y + 10;
  const left = margin_points + label_points;
  const width = pdf.page.width - margin_points - words_points - left;
  const figure = pdf.struct('Figure', { alt: summary });
  root.add(figure);
  figure.add(() => draw({ left, width, top }));
  figure.end();
  pdf.y = top + height + gap;
  pdf.x = margin_points;
  pdf.font('plain').fillColor(colours.ink);
}

function moveDown({ top, ...place }: Place, lines: number): Place {
  return { ...place, top: top + lines * row_points };
}

function drawRatio(pdf: Paper['pdf'], row: GroupRate, place: Place): void {
  const { group, impact_ratio, ratio_from, ratio_to, flag } = row;
  const { left, width, top } = place;
  const scale = (ratio: number) => left + (width * Math.min(ratio, ratio_max)) / ratio_max;
  const middle = top + bar_points / 2;
  drawName(pdf, formatGroup(group), place);
  pdf.rect(left, top, scale(impact_ratio!) - left, bar_points).fill(chooseColour(flag));
  if (ratio_from !== null && ratio_to !== null) {
    pdf.moveTo(scale(ratio_from), middle).lineTo(scale(ratio_to), middle);
    pdf.lineWidth(1).strokeColor(colours.ink).stroke();
  }
  const words = flag === null ? 'highest rate' : flagWords[flag];
  drawWords(pdf, `${formatShare(impact_ratio)} ${flag === 'none' ? '' : words}`, place);
}

function drawName(pdf: Paper['pdf'], name: string, { top }: Place): void {
  pdf.font('plain').fontSize(9).fillColor(colours.ink);
  pdf.text(name, margin_points, top - 1, { width: label_points - 8, ...oneLine });
}

function drawWords(pdf: Paper['pdf'], words: string, { left, width, top }: Place): void {
  pdf.fontSize(8).fillColor(colours.quiet);
  pdf.text(words, left + width + 6, top, { width: words_points - 6, ...oneLine });
}

const oneLine = { height: row_points, ellipsis: true, lineBreak: false } as const;

/** Too few people are neither good nor bad, and look so. */
function chooseColour(flag: GroupRate['flag']): string {
  if (flag === 'insufficient') return colours.unsure;
  return flag === 'significant' || flag === 'ratio_only' ? colours.mark : colours.bar;
}

type Guide = { readonly x: number; readonly top: number; readonly bottom: number };

function drawGuide(pdf: Paper['pdf'], label: string, { x, top, bottom }: Guide): void {
  pdf.moveTo(x, top - 3).lineTo(x, bottom);
  pdf.lineWidth(0.6).dash(2, { space: 2 }).strokeColor(colours.quiet).stroke().undash();
  pdf.fontSize(7.5).fillColor(colours.quiet);
  pdf.text(label, x - 10, bottom, { width: 20, align: 'center', lineBreak: false });
}

/** A share and its name. Its percentage is written beside it, unless there are other words. */
type NamedShare = { readonly name: string; readonly share: number; readonly words?: string };

/** Draws shares as bars on a line from 0 to 100 %. Screen readers read the sentence `summary`. */
export function drawShares(paper: Paper, shares: readonly NamedShare[], summary: string): void {
  if (shares.length === 0) return;
  drawFigure(paper, { summary, lines: shares.length, room: 16, gap: 6 }, (place) => {
    for (const [index, { name, share, words }] of shares.entries()) {
      const at = moveDown(place, index);
      drawName(paper.pdf, name, at);
      paper.pdf.rect(at.left, at.top, at.width, bar_points).fill(colours.track);
      paper.pdf.rect(at.left, at.top, at.width * share, bar_points).fill(colours.bar);
      drawWords(paper.pdf, words ?? formatShare(share), at);
    }
  });
}
