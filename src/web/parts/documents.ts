import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** What a person should read before creating an account: the operator's terms and privacy notice. Nothing, where the operator names none. */
export function renderDocuments({ documents, texts }: Visit): Html | undefined {
  const terms = documents.terms ?? (documents.texts.terms === null ? null : '/terms');
  const privacy = documents.privacy ?? (documents.texts.privacy === null ? null : '/privacy');
  const { documents: words } = texts;
  if (terms === null && privacy === null) return undefined;
  return html`<p class="quiet">
    ${terms !== null && html`${words.termsLead} <a href="${terms}" target="_blank" rel="noopener">${words.termsInSentence}</a>.`}
    ${privacy !== null && html`${words.privacyLead} <a href="${privacy}" target="_blank" rel="noopener">${words.privacyInSentence}</a>.`}
  </p>`;
}
