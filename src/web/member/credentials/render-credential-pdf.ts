import {
  finishPaper,
  writeAddress,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
} from '@tessera/pdf';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';

/** A credential in the words of its document. */
export type CredentialPaper = {
  readonly title: string;
  readonly created_at: Date;
  readonly origin: string;
  readonly headline: string;
  readonly says: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly address: string;
  readonly check: { readonly heading: string; readonly prompt: string; readonly alt: string };
  readonly note: string;
  /** Said if a character cannot be shown. */
  readonly replaced: string;
};

/** Renders a credential as a PDF: what it says, and where it can be checked. */
export async function renderCredentialPdf({
  title,
  created_at,
  origin,
  headline,
  says,
  facts,
  address,
  check,
  note,
  replaced,
}: CredentialPaper): Promise<Buffer> {
  const paper = openPaper({ title, created_at });
  drawMark(paper);
  writeOrigin(paper, origin);
  writeHeadline(paper, headline);
  writeRows(
    paper,
    says,
    facts.map(([label, value]) => ({ label, value })),
  );
  writeAddress(paper, address, check);
  writeSentence(paper, note);
  if (paper.replaced) writeSentence(paper, replaced);
  return finishPaper(paper);
}
