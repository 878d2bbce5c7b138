import * as members from '#modules/people/members';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** Where the member can do what is missing. */
const remedies: Readonly<Record<string, string>> = {
  email_verified: '/app',
  assessment_data_consented: '/app/assessment',
  assessment_complete: '/app/assessment',
  matching_consented: '/app/consent/matching',
  current_industry_given: '/app/preferences/profile',
  years_experience_given: '/app/preferences/profile',
  education_level_given: '/app/preferences/profile',
  location_country_given: '/app/preferences/profile',
};

/** What is missing for the next engagement level, each with a link to the page that helps; nothing at the highest level. */
export async function renderMissing(visit: Visit): Promise<Html | undefined> {
  const { missing } = await visit.call(members.readEngagement);
  const { preferences: texts } = visit.texts;
  if (missing.length === 0) return undefined;
  return html`<div class="message">
    <p><strong>${texts.missingTitle}</strong></p>
    <ul>
      ${missing.map(({ code }) => html`<li>${renderRemedy(visit, remedies[code], texts.missing[code])}</li>`)}
    </ul>
  </div>`;
}

function renderRemedy({ address }: Visit, link: string | undefined, words: string): Html {
  return link === undefined || link === address ? html`${words}` : html`<a href="${link}">${words}</a>`;
}
