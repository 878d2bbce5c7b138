import * as accounts from '#modules/access/accounts';
import { html } from '../serving/html.ts';
import { showView, type Page, goTo } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Emails a link to choose a new password. The page says the same whether or not the address has an account. */
export const forgotPasswordPage: Page = {
  show: (visit) => {
    const { forgotPassword, signIn } = visit.texts;
    const content = html`<div class="narrow">
      <h1>${forgotPassword.title}</h1>
      <p class="lead">${forgotPassword.lead}</p>
      ${renderForm(visit, {
        button: forgotPassword.button,
        focus: true,
        fields: [
          { name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', maxlength: 254 },
        ],
      })}
      <p><a href="/sign-in">${forgotPassword.back}</a></p>
    </div>`;
    return showView({ title: forgotPassword.title, layout: 'open', content });
  },
  actions: {
    send: async ({ call, texts: { forgotPassword } }, { email = '' }) => {
      await call(accounts.forgotPassword, { email: email.trim() });
      const content = html`<div class="narrow">
        <h1>${forgotPassword.sentTitle}</h1>
        <p class="lead" role="status">${forgotPassword.sent}</p>
        <p><a href="/sign-in">${forgotPassword.back}</a></p>
      </div>`;
      return showView({ title: forgotPassword.sentTitle, layout: 'open', content });
    },
  },
};

/** Sets a new password with the token of an emailed link. */
export const resetPasswordPage: Page = {
  show: (visit) => {
    const { register, resetPassword } = visit.texts;
    const content = html`<div class="narrow">
      <h1>${resetPassword.title}</h1>
      ${renderForm(visit, {
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
      <p><a href="/forgot-password">${resetPassword.gone}</a></p>
    </div>`;
    return showView({ title: resetPassword.title, layout: 'open', content });
  },
  actions: {
    send: async ({ call, query }, { new_password = '' }) => {
      await call(accounts.resetPassword, { token: query['token'] ?? '', new_password });
      return goTo('/sign-in', 'passwordReset');
    },
  },
};
