import * as auth from '#modules/auth';
import { html, type Html } from '../serving/html.ts';
import { goTo, readContinuation, showView, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** Logs in with a password and, with MFA, a code. Then returns to the page that asked for it. */
export const signInPage: Page = {
  show: (visit) => {
    const { caller, form, texts } = visit;
    if (caller.role !== 'anonymous') return goTo(readContinuation(visit));
    const { mfa_ticket } = form.values;
    if (mfa_ticket !== undefined) return showSecondStep(visit, mfa_ticket);
    const { signIn } = texts;
    const content = html`<div class="narrow">
      <h1>${signIn.title}</h1>
      ${renderLogIn(visit)}
      <p><a href="/forgot-password">${signIn.forgot}</a></p>
      <p>${signIn.noAccount} <a href="/register">${signIn.join}</a></p>
    </div>`;
    return showView({ title: signIn.title, layout: 'open', content });
  },
  actions: {
    send: async (visit, { email = '', password = '' }) => {
      const login = await visit.call(auth.logIn, { email: email.trim(), password });
      return 'mfa_required' in login
        ? showSecondStep(visit, login.mfa_ticket)
        : goTo(readContinuation(visit));
    },
    code: async (visit, { mfa_ticket = '', code = '' }) => {
      await visit.call(auth.authenticateMfa, { mfa_ticket, code: code.replace(/\s/g, '') });
      return goTo(readContinuation(visit));
    },
    recovery: async (visit, { mfa_ticket = '', code = '' }) => {
      await visit.call(auth.authenticateMfa, { mfa_ticket, code: code.trim(), recovery: true });
      return goTo(readContinuation(visit));
    },
  },
};

function renderLogIn(visit: Visit): Html {
  const { signIn } = visit.texts;
  return renderForm(visit, {
    button: signIn.button,
    focus: true,
    fields: [
      { name: 'email', label: signIn.email, type: 'email', autocomplete: 'username', maxlength: 254 },
      {
        name: 'password',
        label: signIn.password,
        type: 'password',
        autocomplete: 'current-password',
        maxlength: 256,
      },
    ],
  });
}

/** The password was right, and MFA is on. The ticket works once, for five minutes. */
function showSecondStep(visit: Visit, mfa_ticket: string) {
  const { secondStep } = visit.texts;
  const hidden = { mfa_ticket };
  const content = html`<div class="narrow">
    <h1>${secondStep.title}</h1>
    <p class="lead">${secondStep.lead}</p>
    ${renderForm(visit, {
      action: 'code',
      button: secondStep.button,
      focus: true,
      hidden,
      fields: [
        {
          name: 'code',
          label: secondStep.code,
          inputmode: 'numeric',
          autocomplete: 'one-time-code',
          maxlength: 10,
        },
      ],
    })}
    <h2>${secondStep.recoveryTitle}</h2>
    <p>${secondStep.recoveryLead}</p>
    ${renderForm(visit, {
      action: 'recovery',
      button: secondStep.recoveryButton,
      look: 'quiet',
      hidden,
      fields: [{ name: 'code', label: secondStep.recoveryCode, maxlength: 40 }],
    })}
    <p><a href="${visit.address}">${secondStep.again}</a></p>
  </div>`;
  return showView({ title: secondStep.title, layout: 'open', content });
}
