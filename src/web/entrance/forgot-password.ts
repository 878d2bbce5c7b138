import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Emails a link to choose a new password. The page says the same whether or not the address has an account. */
export const forgotPasswordPage: Page = {
  show: (visit) => {
    const { forgotPassword, signIn } = visit.texts;
    const content = html`${renderForm(visit, {
        button: forgotPassword.button,
        focus: true,
        fields: [
          { name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', maxlength: 254 },
        ],
      })}
      <p><a href="/sign-in">${forgotPassword.back}</a></p>`;
    return showNarrow(forgotPassword, content, { layout: 'open' });
  },
  actions: {
    send: async ({ call, texts: { forgotPassword } }, { email = '' }) => {
      await call(accounts.forgotPassword, { email: email.trim() });
      const content = html`<p class="lead" role="status">${forgotPassword.sent}</p>
        <p><a href="/sign-in">${forgotPassword.back}</a></p>`;
      return showNarrow({ title: forgotPassword.sentTitle }, content, { layout: 'open' });
    },
  },
};
