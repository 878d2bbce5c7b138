import {
  drawMark,
  finishPaper,
  openPaper,
  writeAddress,
  writeHeadline,
  writeOrigin,
  writeRows,
  writeSentence,
} from '#platform/pdf/paper.ts';
import type { Visit } from '../../serving/page.ts';
import { listFacts, type Credential } from './credential-facts.ts';

/** Renders a credential as a PDF: what it says, and where it can be checked. */
export async function renderCredentialPdf(visit: Visit, credential: Credential): Promise<Buffer> {
  const { credentialPdf: texts, credential: words, credentials: list } = visit.texts;
  const headline = list.types[credential.credential_type];
  const paper = openPaper({ title: `${headline} · ${visit.texts.frame.service}`, created_at: visit.now });
  const facts = await listFacts(visit, credential, texts.tiers);
  drawMark(paper);
  writeOrigin(paper, texts.service(new URL(visit.publicUrl).host));
  writeHeadline(paper, headline);
  writeRows(
    paper,
    words.says,
    facts.map(([label, value]) => ({ label, value })),
  );
  writeAddress(paper, `${visit.publicUrl}/verify/${credential.id}`, {
    heading: texts.check,
    prompt: texts.scan,
    alt: texts.qr,
  });
  writeSentence(paper, texts.note);
  if (paper.replaced) writeSentence(paper, texts.replaced);
  return finishPaper(paper);
}
