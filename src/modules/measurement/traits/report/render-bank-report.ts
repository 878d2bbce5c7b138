import {
  finishPaper,
  writeHeadline,
  writeOrigin,
  writePageNumbers,
  writeRows,
  writeSentence,
  writeTable,
  type Paper,
} from '@tessera/pdf';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';
import {
  wordsOfReport,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
} from './report-document.ts';

/** How many rows a table has on one page. */
const rows_max = 35;

/** Renders a report as a tagged PDF. @returns its bytes. */
export function renderBankReport({ title, version, created_at, sections }: ReportDocument): Promise<Buffer> {
  const paper = openPaper({ title, created_at: new Date(created_at) });
  drawMark(paper);
  writeOrigin(paper, version);
  writeHeadline(paper, title);
  for (const section of sections) writeSection(paper, section);
  if (paper.replaced) writeSentence(paper, 'A character that this document cannot show is replaced by �.');
  const created = formatUtcDate(new Date(created_at));
  writePageNumbers(paper, (page, pages) => `Created on ${created} · page ${page} of ${pages}`);
  return finishPaper(paper);
}

function writeSection(paper: Paper, { heading, sentences, tables, command, missing }: ReportSection): void {
  writeRows(paper, heading, [
    ...missing.map((value) => ({ label: wordsOfReport.missing, value })),
    ...(command === null ? [] : [{ label: wordsOfReport.made_by, value: command }]),
  ]);
  for (const sentence of sentences) writeSentence(paper, sentence);
  for (const table of tables) writeParts(paper, table);
}

function writeParts(paper: Paper, { caption, columns, rows }: ReportTable): void {
  const widths = columns.map((heading, place) =>
    place === 0 ? { heading, share: 3 } : { heading, share: 1.5, isNumber: true as const },
  );
  for (let from = 0; from < rows.length; from += rows_max)
    writeTable(
      paper,
      from === 0 ? caption : `${caption}, continued`,
      widths,
      rows.slice(from, from + rows_max),
    );
}
