import { drawMark as drawParts, openPaper as open, type Paper } from '@tessera/pdf';
import { markHalves } from '#lib/mark.ts';

/** Opens a document that names the service as its creator. */
export function openPaper(about: { readonly title: string; readonly created_at: Date }): Paper {
  return open({ ...about, creator: 'Tessera' });
}

/** Draws the mark of the service at the top on the right, which screen readers skip. */
export function drawMark(paper: Paper): void {
  drawParts(paper, [
    { path: markHalves.left, colour: '#14665a' },
    { path: markHalves.right, colour: '#b4532f' },
  ]);
}
