import {
  finishPaper,
  writeAddress,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
} from '@tessera/pdf';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';
import type { Verdict } from './verdict.ts';
import { colours } from './page-style.ts';
import { formatCheckTime, type PageContext } from './verify-html.ts';

/** Renders the verify page as a PDF: the same text on A4. */
export function renderVerifyPdf(verdict: Verdict, context: PageContext): Promise<Buffer> {
  const { tone, headline, explanation, facts, checks, reliance } = verdict;
  const paper = openPaper({ title: `${headline} · Tessera`, created_at: context.checked_at });
  drawMark(paper);
  writeOrigin(paper, `Credential check by Tessera at ${new URL(context.publicUrl).host}`);
  writeHeadline(paper, headline, colours.light[tone]);
  for (const sentence of explanation) writeSentence(paper, sentence);
  if (facts) writeRows(paper, facts.heading, facts.rows);
  if (checks.length > 0) writeRows(paper, 'What was checked', checks);
  writeRows(paper, 'What you can rely on, and what not', [
    ...reliance.can.map((value) => ({ label: 'You can rely on', value })),
    ...reliance.cannot.map((value) => ({ label: 'You cannot rely on', value })),
  ]);
  if (context.address !== undefined)
    writeAddress(paper, context.address, {
      heading: 'Check it again',
      prompt: 'Scan the code or open',
      alt: 'QR code with the address of the verify page',
    });
  writeSentence(
    paper,
    `${formatCheckTime(context)} This document shows the result at that time. Open the address above for the current result.`,
  );
  if (paper.replaced)
    writeSentence(
      paper,
      'Some characters are not available in the fonts of this document and appear as �. The page at the address above shows them.',
    );
  return finishPaper(paper);
}
