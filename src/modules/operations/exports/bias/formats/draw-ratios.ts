import type { Paper } from '#platform/pdf/paper.ts';
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
  ink: '#1b1b1f',
  quiet: '#45464f',
  line: '#c7c6cf',
  bar: '#14665a',
  track: '#ececf0',
  mark: '#b4532f',
  unsure: '#a9a9b2',
} as const;

/**
 * Draws the impact ratios of a comparison as bars with their 95 % intervals, and lines at four fifths and at one. Screen readers read the sentence
 * `summary`; the table after it has the numbers.
 */
export function drawRatios({ pdf, root }: Paper, rows: readonly GroupRate[], summary: string): void {
  const shown = rows.filter(({ impact_ratio }) => impact_ratio !== null);
  if (shown.length < 2) return;
  const height = shown.length * row_points + 26;
  if (pdf.y + height > pdf.page.height - margin_points - row_points) pdf.addPage();
  const top = pdf.y + 10;
  const left = margin_points + label_points;
  const width = pdf.page.width - margin_points - words_points - left;
  const figure = pdf.struct('Figure', { alt: summary });
  root.add(figure);
  figure.add(() => {
    for (const [index, row] of shown.entries())
      drawRatio(pdf, row, { left, width, top: top + index * row_points });
    for (const [ratio, label] of [
      [four_fifths, '4/5'],
      [1, '1'],
    ] as const)
      drawGuide(pdf, label, {
        x: left + (width * ratio) / ratio_max,
        top,
        bottom: top + shown.length * row_points,
      });
  });
  figure.end();
  pdf.y = top + shown.length * row_points + 14;
  pdf.x = margin_points;
  pdf.font('plain').fillColor(colours.ink);
}

type Place = { readonly left: number; readonly width: number; readonly top: number };

function drawRatio(pdf: Paper['pdf'], row: GroupRate, { left, width, top }: Place): void {
  const { group, impact_ratio, ratio_from, ratio_to, flag } = row;
  const scale = (ratio: number) => left + (width * Math.min(ratio, ratio_max)) / ratio_max;
  const middle = top + bar_points / 2;
  pdf.font('plain').fontSize(9).fillColor(colours.ink);
  pdf.text(formatGroup(group), margin_points, top - 1, {
    width: label_points - 8,
    height: row_points,
    ellipsis: true,
    lineBreak: false,
  });
  pdf.rect(left, top, scale(impact_ratio!) - left, bar_points).fill(chooseColour(flag));
  if (ratio_from !== null && ratio_to !== null) {
    pdf.moveTo(scale(ratio_from), middle).lineTo(scale(ratio_to), middle);
    pdf.lineWidth(1).strokeColor(colours.ink).stroke();
  }
  const words = flag === null ? 'highest rate' : flagWords[flag];
  pdf.fontSize(8).fillColor(colours.quiet);
  pdf.text(`${formatShare(impact_ratio)} ${flag === 'none' ? '' : words}`, left + width + 6, top, {
    width: words_points - 6,
    height: row_points,
    ellipsis: true,
    lineBreak: false,
  });
}

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

/** A bar from nothing to all. */
type NamedShare = { readonly name: string; readonly share: number };

/** Draws shares as bars on a line from 0 to 100 %. Screen readers read the sentence `summary`. */
export function drawShares({ pdf, root }: Paper, shares: readonly NamedShare[], summary: string): void {
  if (shares.length === 0) return;
  const height = shares.length * row_points + 16;
  if (pdf.y + height > pdf.page.height - margin_points - row_points) pdf.addPage();
  const top = pdf.y + 10;
  const left = margin_points + label_points;
  const width = pdf.page.width - margin_points - words_points - left;
  const figure = pdf.struct('Figure', { alt: summary });
  root.add(figure);
  figure.add(() => {
    for (const [index, each] of shares.entries())
      drawShare(pdf, each, { left, width, top: top + index * row_points });
  });
  figure.end();
  pdf.y = top + shares.length * row_points + 6;
  pdf.x = margin_points;
  pdf.font('plain').fillColor(colours.ink);
}

function drawShare(pdf: Paper['pdf'], { name, share }: NamedShare, { left, width, top }: Place): void {
  pdf.font('plain').fontSize(9).fillColor(colours.ink);
  pdf.text(name, margin_points, top - 1, {
    width: label_points - 8,
    height: row_points,
    ellipsis: true,
    lineBreak: false,
  });
  pdf.rect(left, top, width, bar_points).fill(colours.track);
  pdf.rect(left, top, width * share, bar_points).fill(colours.bar);
  pdf.fontSize(8).fillColor(colours.quiet);
  pdf.text(formatShare(share), left + width + 6, top, { width: words_points - 6, lineBreak: false });
}
