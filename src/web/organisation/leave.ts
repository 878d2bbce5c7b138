import { Refusal } from '#lib/refusal.ts';
import * as orgUsers from '#modules/organisations/org-users';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from '../account/require-recent.ts';

/** Ends the visitor's own account in the organisation, which every role may do. */
export const leavePage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { person: texts } = visit.texts;
    const content = html`${renderForm(visit, {
      button: texts.leaveButton,
      look: 'danger',
      after: html`<a href="/app/organisation">${visit.texts.forms.cancel}</a>`,
    })}`;
    return showNarrow({ title: texts.leave, lead: texts.leaveLead }, content);
  },
  actions: {
    send: async ({ call, caller }) => {
      if (caller.role === 'anonymous') throw new Refusal('authentication_required');
      await call(orgUsers.removeUser, { user_id: caller.user_id });
      return goTo('/sign-in', 'leftOrganisation');
    },
  },
};
