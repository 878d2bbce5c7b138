import { goTo, type Page } from '../../serving/page.ts';
import { readCredential } from './credential-facts.ts';

/** A valid credential as a PDF, for its member, who sees the content even if nobody else does. */
export const credentialPdfPage: Page = {
  show: async (visit) => {
    const credential = await readCredential(visit);
    if (credential.status !== 'active') return goTo(`/app/credentials/${credential.id}`);
    // Loaded with the first PDF: few are requested, and a start need not wait for the packages.
    const { renderCredentialPdf } = await import('./render-credential-pdf.ts');
    const content = await renderCredentialPdf(visit, credential);
    const filename = `tessera-credential-${credential.id}.pdf`;
    return { kind: 'download', file: { filename, content }, media_type: 'application/pdf' };
  },
};
