import type { Paper } from './paper.ts';

/** One column of a table: its heading, its share of the width, and whether it has numbers, which are aligned at the right. */
export type TableColumn = { readonly heading: string; readonly share: number; readonly isNumber?: true };

const margin_points = 56;
const row_points = 16;
const text_points = 8.8;
const colours = { ink: '#1b1b1f', quiet: '#45464f', line: '#c7c6cf' } as const;

/**
 * Writes a table whose cells are one line each, in characters of Latin, Greek and Cyrillic. Screen readers find its rows, headings and
 * cells. A table that does not fit the rest of the page begins on the next one, so it must have at most 35 rows.
 */
export function writeTable(
  { pdf, root }: Paper,
  caption: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const needed = (rows.length + 1) * row_points + 40;
  if (pdf.y + needed > pdf.page.height - margin_points - row_points) pdf.addPage();
  root.add(
    pdf.struct('H3', {}, () => {
      pdf.moveDown(0.9).font('bold').fontSize(10.5).fillColor(colours.ink).text(caption, margin_points);
    }),
  );
  pdf.y += 4;
  const table = pdf.struct('Table');
  root.add(table);
  const lines = [columns.map(({ heading }) => heading), ...rows];
  for (const [index, cells] of lines.entries()) writeTableRow({ pdf, table }, columns, cells, index === 0);
  table.end();
  pdf.font('plain');
  pdf.x = margin_points;
}

type TableParts = { readonly pdf: Paper['pdf']; readonly table: Paper['root'] };

function writeTableRow(
  { pdf, table }: TableParts,
  columns: readonly TableColumn[],
  cells: readonly string[],
  isHeading: boolean,
): void {
  const row = pdf.struct('TR');
  table.add(row);
  const top = pdf.y;
  const width = pdf.page.width - 2 * margin_points;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  let left = margin_points;
  for (const [index, { share, isNumber }] of columns.entries()) {
    const cell_width = (width * share) / shares;
    const position = {
      left,
      top,
      width: cell_width - 8,
      align: isNumber ? ('right' as const) : ('left' as const),
    };
    row.add(
      pdf.struct(isHeading || index === 0 ? 'TH' : 'TD', {}, () =>
        writeCell(pdf, cells[index] ?? '', position, isHeading),
      ),
    );
    left += cell_width;
  }
  row.end();
  drawLine(pdf, top + row_points - 4, width);
  pdf.y = top + row_points;
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
  pdf
    .font(isHeading ? 'bold' : 'plain')
    .fontSize(text_points)
    .fillColor(isHeading ? colours.quiet : colours.ink)
    .text(text, left, top, { width, align, height: row_points, ellipsis: true, lineBreak: false });
}

function drawLine(pdf: Paper['pdf'], y: number, width: number): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf.moveTo(margin_points, y).lineTo(margin_points + width, y);
  pdf.lineWidth(0.5).strokeColor(colours.line).stroke();
  pdf.endMarkedContent();
}
