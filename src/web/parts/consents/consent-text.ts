import * as consent from '#modules/people/consent';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

/** What a member agrees to, and the version of it that their agreement names. */
export async function renderConsentText(
  { call }: Visit,
  consent_type: consent.ConsentType,
): Promise<{ readonly version: string; readonly text: Html }> {
  const { data } = await call(consent.listConsentTexts);
  const current = data.find((each) => each.consent_type === consent_type && each.is_current);
  if (!current) throw new Error(`no text of the consent ${consent_type} is published`);
  return { version: current.version, text: html`<p class="terms">${current.text}</p>` };
}
