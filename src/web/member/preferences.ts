import * as matches from '#modules/matching/matches';
import { identifyVersion, renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showHeaded, type Page } from '../serving/page.ts';
import { renderMissing } from './missing.ts';
import { buildPreferenceGroups, readPreferences } from './preference-fields.ts';
import { renderMatchTabs } from './tabs.ts';

/** What the member wants of a job. */
export const preferencesPage: Page = {
  show: async (visit) => {
    const preferences = await visit.call(matches.readPreferences);
    const { preferences: texts } = visit.texts;
    const content = html`${renderForm(visit, {
      action: 'preferences',
      button: texts.button,
      seen: identifyVersion(preferences),
      wide: true,
      groups: buildPreferenceGroups(visit.texts, preferences),
    })}`;
    return showHeaded(texts, content, { tabs: renderMatchTabs(visit), below: await renderMissing(visit) });
  },
  actions: {
    preferences: async ({ call, texts }, fields) => {
      await call(matches.setPreferences, readPreferences(texts, fields));
      return goTo('/app/preferences', 'preferencesSaved');
    },
  },
};
