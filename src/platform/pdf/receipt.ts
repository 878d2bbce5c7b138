import { formatUtcDate } from '#platform/format-utc-time.ts';
import {
  finishPaper,
  writeHeadline,
  writeOrigin,
  writePageNumbers,
  writeRows,
  writeSentence,
  type PaperRow,
} from '@tessera/pdf';
import { drawMark, openPaper, serviceColours } from './open-paper.ts';

/** What a receipt says: the whole in a sentence, rows under headings, and sentences at the end about what it does not say, and why. */
export type ReceiptContent = {
  readonly summary: string;
  readonly parts: readonly { readonly heading: string; readonly rows: readonly PaperRow[] }[];
  readonly notes: readonly string[];
};

/** A receipt with its title and its origin. */
export type Receipt = {
  readonly title: string;
  /** The address of the service that issues it. */
  readonly publicUrl: string;
  readonly created_at: Date;
} & ReceiptContent;

/** Renders a receipt as a tagged PDF. @returns its bytes. */
export function renderReceipt({
  title,
  publicUrl,
  created_at,
  summary,
  parts,
  notes,
}: Receipt): Promise<Buffer> {
  const paper = openPaper({ title, created_at });
  drawMark(paper);
  writeOrigin(paper, `Tessera at ${new URL(publicUrl).host}`);
  writeHeadline(paper, title, serviceColours.left);
  writeSentence(paper, summary);
  for (const { heading, rows } of parts) writeRows(paper, heading, rows);
  paper.pdf.moveDown(0.8);
  for (const note of notes) writeSentence(paper, note);
  if (paper.replaced) writeSentence(paper, 'A character that this document cannot show is replaced by �.');
  const created = formatUtcDate(created_at);
  writePageNumbers(paper, (page, pages) => `Created on ${created} · page ${page} of ${pages}`);
  return finishPaper(paper);
}
