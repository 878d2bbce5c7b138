import * as matching from '#modules/matching';
import * as members from '#modules/members';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../serving/page.ts';
import { buildPreferenceFields, buildValueFields, readPreferences } from './preference-fields.ts';
import { buildProfileFields, readProfile } from './profile.ts';
import { renderMatchTabs } from './tabs.ts';

/** What the member wants of a job, and what they say about their work. */
export const preferencesPage: Page = {
  show: async (visit) => {
    const [preferences, { profile }] = await Promise.all([
      visit.call(matching.readPreferences),
      visit.call(members.readMember),
    ]);
    const { preferences: texts } = visit.texts;
    const content = html`${renderMatchTabs(visit)}
      <header class="head">
        <h1>${texts.title}</h1>
        <p class="lead">${texts.lead}</p>
        ${await renderMissing(visit)}
      </header>
      <div class="preferences">
        <section>
          <h2>${texts.jobTitle}</h2>
          ${renderForm(visit, {
            action: 'preferences',
            button: texts.button,
            fields: [...buildPreferenceFields(visit, preferences), ...buildValueFields(visit, preferences)],
          })}
        </section>
        <section>
          <h2>${texts.profileTitle}</h2>
          <p>${texts.profileLead}</p>
          ${renderForm(visit, { action: 'profile', button: texts.profileButton, fields: buildProfileFields(visit, profile) })}
        </section>
      </div>`;
    return showView({ title: texts.title, layout: 'app', content });
  },
  actions: {
    preferences: async ({ call, texts }, fields) => {
      await call(matching.setPreferences, readPreferences(texts, fields));
      return goTo('/app/preferences', 'preferencesSaved');
    },
    profile: async ({ call }, fields) => {
      await call(members.updateProfile, readProfile(fields));
      return goTo('/app/preferences', 'profileSaved');
    },
  },
};

/** What is still missing before jobs can find the member. */
async function renderMissing(visit: Visit): Promise<Html | undefined> {
  const { missing } = await visit.call(members.readEngagement);
  const { preferences: texts } = visit.texts;
  if (missing.length === 0) return undefined;
  return html`<div class="message">
    <p><strong>${texts.missingTitle}</strong></p>
    <ul>
      ${missing.map(({ code }) => html`<li>${texts.missing[code]}</li>`)}
    </ul>
  </div>`;
}
