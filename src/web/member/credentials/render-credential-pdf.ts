import { finishPaper, writeCertificate, type Certificate } from '@tessera/pdf';
import { certificateLook, openPaper } from '#platform/pdf/open-paper.ts';

/** A credential in the words of its document. */
export type CredentialPaper = Certificate & {
  readonly title: string;
  readonly created_at: Date;
  /** Said if a character cannot be shown. */
  readonly replaced: string;
};

/** Renders a credential as a PDF to frame: who holds it, what it says, until when, and a code with which anyone can check it. */
export function renderCredentialPdf({
  title,
  created_at,
  replaced,
  ...content
}: CredentialPaper): Promise<Buffer> {
  const write = (notes: readonly string[]) => {
    const paper = openPaper({ title, created_at, layout: 'landscape' });
    writeCertificate(paper, { ...content, notes }, certificateLook);
    return paper;
  };
  const paper = write(content.notes);
  // The note about replaced characters has its place among the others, so the page is written again.
  return finishPaper(paper.replaced ? write([...content.notes, replaced]) : paper);
}
