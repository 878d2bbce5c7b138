import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showView, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';

/** Changes the password of the account. */
export const passwordPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { password } = visit.texts;
    const content = html`<div class="narrow">
      <h1>${password.title}</h1>
      <p class="lead">${password.lead}</p>
      ${renderForm(visit, {
        button: password.button,
        fields: [
          {
            name: 'current_password',
            label: password.current,
            type: 'password',
            autocomplete: 'current-password',
            maxlength: 256,
          },
          {
            name: 'new_password',
            label: password.next,
            type: 'password',
            hint: password.hint,
            autocomplete: 'new-password',
            maxlength: 256,
          },
        ],
        after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
      })}
    </div>`;
    return showView({ title: password.title, layout: 'app', content });
  },
  actions: {
    send: async ({ call }, { current_password = '', new_password = '' }) => {
      await call(accounts.changePassword, { current_password, new_password });
      return goTo('/app/account', 'passwordChanged');
    },
  },
};
