import { colours, type Paper } from './paper.ts';
import { selectWholeFont } from './select-font.ts';

/** One column of a table: its heading, its share of the width, and whether it has numbers, which are aligned at the right. */
export type TableColumn = { readonly heading: string; readonly share: number; readonly isNumber?: true };

const margin_points = 56;
const row_points = 16;
const gap_points = 8;
const text_points = 8.8;

/**
 * Writes a table in characters of Latin, Greek and Cyrillic. Long cells have several lines, and nothing is cut off. Screen readers find its rows,
 * headings and cells. A table that does not fit the rest of the page begins on the next one, and goes on after it.
 */
export function writeTable(
  { pdf, root }: Paper,
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const lines = [columns.map(({ heading }) => heading), ...rows];
  const heights = lines.map((cells, index) => measureRow(pdf, columns, cells, index === 0));
  if (!hasRoom(pdf, 40 + heights.reduce((sum, height) => sum + height, 0))) pdf.addPage();
  root.add(
    pdf.struct('H3', {}, () => {
      pdf.moveDown(0.9).font('bold').fontSize(10.5).fillColor(colours.ink).text(caption, margin_points);
    }),
  );
  pdf.y += 4;
  const table = pdf.struct('Table');
  root.add(table);
  for (const [index, cells] of lines.entries()) {
    if (!hasRoom(pdf, heights[index]!)) pdf.addPage();
    writeTableRow({ pdf, table }, columns, cells, { height: heights[index]!, isHeading: index === 0 });
  }
  table.end();
  pdf.font('plain');
  pdf.x = margin_points;
}

function hasRoom(pdf: Paper['pdf'], height: number): boolean {
  return pdf.y + height <= pdf.page.height - margin_points - row_points;
}

/** The widths of the cells, without the gap after each. */
function listWidths(pdf: Paper['pdf'], columns: readonly TableColumn[]): number[] {
  const width = pdf.page.width - 2 * margin_points;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  return columns.map(({ share }) => (width * share) / shares - gap_points);
}

/** Measures the highest cell of a row: one line, or several. */
function measureRow(
  pdf: Paper['pdf'],
  columns: readonly TableColumn[],
  cells: readonly string[],
  isHeading: boolean,
): number {
  const widths = listWidths(pdf, columns);
  const heights = cells.map((text, index) => {
    selectCellFont(pdf, text, isHeading);
    return pdf.heightOfString(text, { width: widths[index]! });
  });
  return row_points - pdf.currentLineHeight(true) + Math.max(...heights);
}

type TableParts = { readonly pdf: Paper['pdf']; readonly table: Paper['root'] };

function writeTableRow(
  { pdf, table }: TableParts,
  columns: readonly TableColumn[],
  cells: readonly string[],
  { height, isHeading }: { readonly height: number; readonly isHeading: boolean },
): void {
  const row = pdf.struct('TR');
  table.add(row);
  const top = pdf.y;
  const widths = listWidths(pdf, columns);
  let left = margin_points;
  for (const [index, width] of widths.entries()) {
    const position = { left, top, width, align: columns[index]!.isNumber ? 'right' : 'left' } as const;
    row.add(
      pdf.struct(isHeading || index === 0 ? 'TH' : 'TD', {}, () =>
        writeCell(pdf, cells[index] ?? '', position, isHeading),
      ),
    );
    left += width + gap_points;
  }
  row.end();
  drawLine(pdf, top + height - 4, left - margin_points);
  pdf.y = top + height;
}

type CellPosition = {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly align: 'left' | 'right';
};

function writeCell(
  pdf: Paper['pdf'],
  text: string,
  { left, top, width, align }: CellPosition,
  isHeading: boolean,
): void {
  selectCellFont(pdf, text, isHeading);
  pdf.fillColor(isHeading ? colours.quiet : colours.ink);
  // Figures of one width, so that the digits of a column are below each other.
  pdf.text(text, left, top, { width, align, features: ['tnum'] });
}

/** A cell is drawn in one font, because text of several cannot be aligned at the right. */
function selectCellFont(pdf: Paper['pdf'], text: string, isHeading: boolean): void {
  selectWholeFont(pdf, text, isHeading ? ['bold', 'wide_bold'] : ['plain', 'wide']);
  pdf.fontSize(text_points);
}

function drawLine(pdf: Paper['pdf'], y: number, width: number): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf.moveTo(margin_points, y).lineTo(margin_points + width, y);
  pdf.lineWidth(0.5).strokeColor(colours.line).stroke();
  pdf.endMarkedContent();
}
