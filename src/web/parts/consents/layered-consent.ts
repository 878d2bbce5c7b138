import type * as consent from '#modules/people/consent';
import { html, type Content, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderConsentText } from './consent-text.ts';
import { renderFacts } from '../facts.ts';

/**
 * Renders what a member agrees to in layers: what happens, for how long, and exactly what others would see; and the published text, folded, to be shown
 * below the button.
 *
 * @param example What others would see, made from the member's own data.
 */
export async function renderLayeredConsent(
  visit: Visit,
  consent_type: consent.ConsentType,
  example?: Content,
): Promise<{ readonly version: string; readonly content: Html; readonly full: Html }> {
  const { consent: texts } = visit.texts;
  const { version, text } = await renderConsentText(visit, consent_type);
  const { allows, until, seen } = texts.types[consent_type];
  const content = html`<section class="layers">
    ${renderFacts(
      [
        [texts.layers.what, allows],
        [texts.layers.until, until],
        [texts.layers.seen, seen],
      ],
      'short-facts',
    )}
    ${
      example !== undefined &&
      html`<figure class="example">
        <figcaption><h2>${texts.layers.example}</h2></figcaption>
        ${example}
      </figure>`
    }
  </section>`;
  const full = html`<details class="small full-text">
    <summary>${texts.layers.full(version)}</summary>
    ${text}
  </details>`;
  return { version, content, full };
}
