import { drawMark as drawParts, openPaper as open, type CertificateLook, type Paper } from '@tessera/pdf';
import { markHalves } from '#lib/mark.ts';

/** Opens a document that names the service as its creator. */
export function openPaper(about: {
  readonly title: string;
  readonly created_at: Date;
  readonly layout?: 'landscape';
}): Paper {
  return open({ ...about, creator: 'Tessera' });
}

/** The colours of the mark, which are those of the pages. */
export const serviceColours = { left: '#14665a', right: '#b4532f' } as const;

const mark = [
  { path: markHalves.left, colour: serviceColours.left },
  { path: markHalves.right, colour: serviceColours.right },
] as const;

/** Draws the mark of the service at the top on the right, which screen readers skip. */
export function drawMark(paper: Paper): void {
  drawParts(paper, mark);
}

/** How a certificate of the service looks: its mark, and stones in its colours. */
export const certificateLook: CertificateLook = {
  mark,
  accent: serviceColours.left,
  stones: ['#14665a', '#e3dccd', '#9fc4ba', '#e3dccd', '#dba184', '#efe8da', '#b4532f', '#cfe0d8'],
};
