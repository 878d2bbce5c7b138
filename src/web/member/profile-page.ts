import * as members from '#modules/people/members';
import { identifyVersion, renderForm } from '../parts/form.ts';
import { html } from '../serving/html.ts';
import { goTo, showHeaded, type Page } from '../serving/page.ts';
import { renderMissing } from './missing.ts';
import { buildProfileFields, readProfile } from './profile.ts';
import { renderMatchTabs } from './tabs.ts';

const address = '/app/preferences/profile';

/** What the member says about their work. */
export const profilePage: Page = {
  show: async (visit) => {
    const member = await visit.call(members.readMember);
    const { preferences: texts } = visit.texts;
    const content = html`<div class="preferences">
      ${renderForm(visit, {
        action: 'profile',
        button: texts.profileButton,
        seen: identifyVersion(member),
        fields: buildProfileFields(visit, member.profile),
      })}
    </div>`;
    return showHeaded({ title: texts.profileTitle, lead: texts.profileLead }, content, {
      tabs: renderMatchTabs(visit),
      below: await renderMissing(visit),
    });
  },
  actions: {
    profile: async (visit, fields) => {
      await visit.call(members.updateProfile, readProfile(visit, fields));
      return goTo(address, 'profileSaved');
    },
  },
};
