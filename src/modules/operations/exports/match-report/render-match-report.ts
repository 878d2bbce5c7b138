import {
  finishPaper,
  writePageNumbers,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
} from '@tessera/pdf';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';
import type { ReportPart } from './build-match-report.ts';

/** Renders the report of a match as a tagged PDF with numbered pages. */
export function renderMatchReport(
  parts: readonly ReportPart[],
  { org_name, created_at }: { readonly org_name: string; readonly created_at: Date },
): Promise<Buffer> {
  const paper = openPaper({ title: `Match report: ${org_name}`, created_at });
  drawMark(paper);
  writeOrigin(paper, org_name);
  writeHeadline(paper, 'Match report');
  for (const { heading, rows, sentences } of parts) {
    writeRows(paper, heading, rows);
    for (const sentence of sentences) writeSentence(paper, sentence);
  }
  if (paper.replaced) writeSentence(paper, 'A character that this document cannot show is replaced by �.');
  const created_on = formatUtcDate(created_at);
  writePageNumbers(paper, (page, pages) => `Created on ${created_on} · page ${page} of ${pages}`);
  return finishPaper(paper);
}
