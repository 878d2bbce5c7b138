import {
  finishPaper,
  writeHeadline,
  writeOrigin,
  writePageNumbers,
  writeRows,
  writeSentence,
  type Paper,
  type PaperRow,
} from '@tessera/pdf';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';

/** The results of a member in the words of their document. */
export type ResultsPaper = {
  readonly title: string;
  readonly created_at: Date;
  readonly origin: string;
  readonly lead: readonly string[];
  readonly parts: readonly {
    readonly heading: string;
    readonly lead: readonly string[];
    readonly rows: readonly PaperRow[];
  }[];
  readonly notes: readonly string[];
  /** Said if a character cannot be shown. */
  readonly replaced: string;
};

/** Renders the results of a member as a tagged PDF with numbered pages. */
export function renderResultsPdf({ title, created_at, origin, ...said }: ResultsPaper): Promise<Buffer> {
  const paper = openPaper({ title, created_at });
  drawMark(paper);
  writeOrigin(paper, origin);
  writeHeadline(paper, title);
  writeSentences(paper, said.lead);
  for (const { heading, lead, rows } of said.parts) writeRows(paper, heading, rows, lead);
  writeSentences(paper, said.notes);
  if (paper.replaced) writeSentence(paper, said.replaced);
  const created = formatUtcDate(created_at);
  writePageNumbers(paper, (page, pages) => `Created on ${created} · page ${page} of ${pages}`);
  return finishPaper(paper);
}

function writeSentences(paper: Paper, sentences: readonly string[]): void {
  for (const sentence of sentences) writeSentence(paper, sentence);
}
