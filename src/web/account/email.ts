import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';

/** Changes the email address of the account, once the new one is verified. */
export const emailPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { email } = visit.texts;
    const me = await visit.call(accounts.readMe);
    const content = html`<div class="narrow">
      <h1>${me.email === null ? email.addTitle : email.title}</h1>
      <p class="lead">${me.email === null ? email.addLead : email.lead}</p>
      ${me.email !== null && html`<p>${email.current(me.email)}</p>`}
      ${renderForm(visit, {
        button: email.button,
        fields: [
          {
            name: 'email',
            label: me.email === null ? email.firstEmail : email.email,
            type: 'email',
            autocomplete: 'email',
            maxlength: 254,
          },
        ],
        after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
      })}
    </div>`;
    return showView({ title: email.title, layout: 'app', content });
  },
  actions: {
    send: async ({ call }, { email = '' }) => {
      await call(accounts.changeEmail, { email: email.trim() });
      return goTo('/app/account', 'emailSent');
    },
  },
};
