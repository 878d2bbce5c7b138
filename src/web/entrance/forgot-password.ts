import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { buildEmailField, buildPasswordField } from '../parts/fields.ts';

/** Emails a link to choose a new password. The page says the same whether or not the address has an account. */
export const forgotPasswordPage: Page = {
  show: (visit) => {
    const { forgotPassword, signIn } = visit.texts;
    const content = html`${renderForm(visit, {
        button: forgotPassword.button,
        focus: true,
        fields: [buildEmailField(signIn.email)],
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

/** Sets a new password with the token of an emailed link. */
export const resetPasswordPage: Page = {
  show: (visit) => {
    const { register, resetPassword } = visit.texts;
    const content = html`${renderForm(visit, {
        button: resetPassword.button,
        focus: true,
        fields: [buildPasswordField(resetPassword.password, register.passwordHint, 'new_password')],
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
