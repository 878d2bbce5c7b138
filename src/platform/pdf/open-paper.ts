import { drawMark as drawParts, openPaper as open, type Paper } from '@tessera/pdf';
import { markHalves } from '#lib/mark.ts';

/** Opens a document that names the service as its creator. */
export function openPaper(about: { readonly title: string; readonly created_at: Date }): Paper {
  return open({ ...about, creator: 'Tessera' });
}

/** The colours of the mark, which are those of the pages. */
export const serviceColours = { left: '#14665a', right: '#b4532f' } as const;

/** Draws the mark of the service at the top on the right, which screen readers skip. */
export function drawMark(paper: Paper): void {
  drawParts(paper, [
    { path: markHalves.left, colour: serviceColours.left },
    { path: markHalves.right, colour: serviceColours.right },
  ]);
}
