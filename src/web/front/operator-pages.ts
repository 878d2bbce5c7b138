import { html, type Html } from '../serving/html.ts';
import { showNarrow, type Page, type Visit } from '../serving/page.ts';
import { renderOperatorText } from './operator-text.ts';

type Name = keyof Visit['documents']['texts'];

/** Who runs this installation, its terms, and what happens to data: the operator's own text, or a template that says what it is. */
export const aboutPage = buildPage('about');
export const termsPage = buildPage('terms');
export const privacyPage = buildPage('privacy');

function buildPage(name: Name): Page {
  return {
    show: (visit) => {
      const { title, description } = visit.texts.operatorTexts[name];
      const content = html`<div class="operator-text">${renderText(visit, name)}</div>`;
      return showNarrow({ title }, content, { layout: 'open', description });
    },
  };
}

function renderText(visit: Visit, name: Name): Html {
  const { documents, texts, format, publicUrl, retention } = visit;
  const { operatorTexts: words, templates } = texts;
  const own = documents.texts[name];
  const address = name === 'about' ? null : documents[name];
  if (address !== null)
    return html`<p>${words.elsewhere} <a class="address" href="${address}">${address}</a></p>`;
  if (own !== null) return renderOperatorText(own);
  const template = templates[name]({
    host: new URL(publicUrl).host,
    erasure: format.formatDuration(retention.erasure_seconds),
    audit: format.formatDuration(86_400 * retention.audit_days),
  });
  return html`<p class="message">${words.template}</p>
    ${renderOperatorText(template)}`;
}
