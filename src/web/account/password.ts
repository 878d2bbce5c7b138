import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { requireRecent } from './require-recent.ts';
import { buildPasswordField } from '../parts/fields.ts';

/** Changes the password of the account. */
export const passwordPage: Page = {
  show: (visit) => {
    requireRecent(visit);
    const { password } = visit.texts;
    const content = html`${renderForm(visit, {
      button: password.button,
      fields: [
        buildPasswordField(password.current, undefined, 'current_password'),
        buildPasswordField(password.next, password.hint, 'new_password'),
      ],
      after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
    })}`;
    return showNarrow(password, content);
  },
  actions: {
    send: sendForm(accounts.changePassword, '/app/account', 'passwordChanged'),
  },
};
