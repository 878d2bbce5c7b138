import type * as consent from '#modules/people/consent';
import { html, type Content, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import { renderConsentText } from './consent-text.ts';
import { renderFacts } from './facts.ts';

/**
 * Renders what a member agrees to in layers: what happens, for how long, and exactly what others would see; folded below it, the published text.
 *
 * @param example What others would see, made from the member's own data.
 */
export async function renderLayeredConsent(
  visit: Visit,
  consent_type: consent.ConsentType,
  example?: Content,
): Promise<{ readonly version: string; readonly content: Html }> {
  const { consent: texts } = visit.texts;
  const { version, text } = await renderConsentText(visit, consent_type);
  const { allows, until, seen } = texts.types[consent_type];
  const content = html`<section class="layers">
    ${renderFacts([
      [texts.layers.what, allows],
      [texts.layers.until, until],
      [texts.layers.seen, seen],
    ])}
    ${example !== undefined && html`<figure class="example">
      <figcaption>${texts.layers.example}</figcaption>
      ${example}
    </figure>`}
    <details class="small">
      <summary>${texts.layers.full(version)}</summary>
      ${text}
    </details>
  </section>`;
  return { version, content };
}
