import * as orgUsers from '#modules/organisations/org-users';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { buildPasswordField } from '../parts/fields.ts';

/** Creates the account of an invited user, with the token of the emailed link. */
export const acceptInvitationPage: Page = {
  show: (visit) => {
    const { acceptInvitation, register } = visit.texts;
    const content = html`${renderForm(visit, {
      button: acceptInvitation.button,
      focus: true,
      fields: [buildPasswordField(acceptInvitation.password, register.passwordHint)],
    })}`;
    return showNarrow(acceptInvitation, content, { layout: 'open' });
  },
  actions: {
    send: async ({ call, query }, { password = '' }) => {
      await call(orgUsers.acceptInvitation, { token: query['token'] ?? '', password });
      return goTo('/app');
    },
  },
};
