import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';

/** Changes the password of the account. */
export const passwordPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { password } = visit.texts;
    const content = html`${renderForm(visit, {
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
    })}`;
    return showNarrow(password, content);
  },
  actions: {
    send: sendForm(accounts.changePassword, '/app/account', 'passwordChanged'),
  },
};
