import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';
import { buildEmailField } from '../parts/fields.ts';

/** Changes the email address of the account, once the new one is verified. */
export const emailPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { email } = visit.texts;
    const me = await visit.call(accounts.readMe);
    const content = html`${me.email !== null && html`<p>${email.current(me.email)}</p>`}
    ${renderForm(visit, {
      button: email.button,
      fields: [
        buildEmailField(me.email === null ? email.firstEmail : email.email, { autocomplete: 'email' }),
      ],
      after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
    })}`;
    return showNarrow(
      {
        title: email.title,
        heading: me.email === null ? email.addTitle : email.title,
        lead: me.email === null ? email.addLead : email.lead,
      },
      content,
    );
  },
  actions: {
    send: async ({ call }, { email = '' }) => {
      await call(accounts.changeEmail, { email: email.trim() });
      return goTo('/app/account', 'emailSent');
    },
  },
};
