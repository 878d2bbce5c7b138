import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Sets a new password with the token of an emailed link. */
export const resetPasswordPage: Page = {
  show: (visit) => {
    const { register, resetPassword } = visit.texts;
    const content = html`${renderForm(visit, {
        button: resetPassword.button,
        focus: true,
        fields: [
          {
            name: 'new_password',
            label: resetPassword.password,
            type: 'password',
            hint: register.passwordHint,
            autocomplete: 'new-password',
            maxlength: 256,
          },
        ],
      })}
      <p><a href="/forgot-password">${resetPassword.gone}</a></p>`;
    return showNarrow({ title: resetPassword.title }, content, { layout: 'open' });
  },
  actions: {
    send: async ({ call, query }, { new_password = '' }) => {
      await call(accounts.resetPassword, { token: query['token'] ?? '', new_password });
      return goTo('/sign-in', 'passwordReset');
    },
  },
};
