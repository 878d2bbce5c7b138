import * as accounts from '#modules/access/accounts';
import * as sso from '#modules/access/sso';
import { readMailDomain } from '#modules/organisations/orgs';
import { readOutsideValue } from '#lib/outside-values.ts';
import { Refusal } from '#lib/refusal.ts';
import { html, type Html } from '../serving/html.ts';
import {
  goTo,
  readContinuation,
  selectRelayState,
  showNarrow,
  type Page,
  type View,
  type Visit,
} from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { readPasskey, renderPasskeyForm } from '../parts/passkey-form.ts';
import { buildCodeField } from '../parts/fields.ts';

/** Logs in with a password and, with MFA, a code. Then returns to the page that asked for it. */
export const signInPage: Page = {
  show: async (visit) => {
    const { caller, form, texts } = visit;
    if (caller.role !== 'anonymous') return goTo(readContinuation(visit));
    const { mfa_ticket } = form.values;
    if (mfa_ticket !== undefined) return showSecondStep(visit, mfa_ticket);
    const { signIn } = texts;
    const content = html`${renderLogIn(visit)} ${await renderPasskey(visit)}
      <p><a href="/forgot-password">${signIn.forgot}</a></p>
      <p>${signIn.noAccount} <a href="/register">${signIn.join}</a></p>`;
    return showNarrow({ title: signIn.title }, content, { layout: 'open', script: 'passkeys.js' });
  },
  actions: {
    send: async (visit, { email = '', password = '' }) => {
      const name = email.trim();
      if (password === '') return sendToOrganisation(visit, name);
      const login = isHandle(name)
        ? await visit.call(accounts.logInByHandle, { handle: accounts.toCanonicalHandle(name), password })
        : await visit.call(accounts.logIn, { email: name, password });
      return 'mfa_required' in login
        ? showSecondStep(visit, login.mfa_ticket)
        : goTo(readContinuation(visit));
    },
    passkey: async (visit, { passkey = '' }) => {
      await visit.call(accounts.authenticatePasskey, { passkey: readPasskey(passkey) });
      return goTo(readContinuation(visit));
    },
    code: async (visit, { mfa_ticket = '', code = '' }) => {
      await visit.call(accounts.authenticateMfa, { mfa_ticket, code: code.replace(/\s/g, '') });
      return goTo(readContinuation(visit));
    },
    recovery: async (visit, { mfa_ticket = '', code = '' }) => {
      await visit.call(accounts.authenticateMfa, { mfa_ticket, code: code.trim(), recovery: true });
      return goTo(readContinuation(visit));
    },
  },
};

/** Handles have no @, except one that people put in front. */
function isHandle(name: string): boolean {
  return name.lastIndexOf('@') < 1;
}

/** The browser also offers passkeys in the field of the email address. */
async function renderPasskey(visit: Visit): Promise<Html> {
  const { signIn } = visit.texts;
  const { public_key } = await visit.call(accounts.requestPasskeyChallenge, { purpose: 'log_in' });
  return html`<div class="other-way">
    <p class="or" aria-hidden="true"><span>${signIn.or}</span></p>
    ${renderPasskeyForm(visit, {
      ask: 'get',
      public_key,
      autofill: true,
      form: { action: 'passkey', button: signIn.passkey, look: 'quiet' },
    })}
  </div>`;
}

function renderLogIn(visit: Visit): Html {
  const { signIn } = visit.texts;
  return renderForm(visit, {
    button: signIn.button,
    focus: true,
    fields: [
      {
        name: 'email',
        label: signIn.email,
        autocomplete: 'username webauthn',
        maxlength: 254,
      },
      {
        name: 'password',
        label: signIn.password,
        type: 'password',
        hint: signIn.passwordHint,
        may_be_empty: true,
        autocomplete: 'current-password',
        maxlength: 256,
      },
    ],
  });
}

/**
 * Leads to the login of the organisation that has verified the domain of the address. The page itself goes there, because the redirect of a
 * form to another site is forbidden by our own policy.
 */
async function sendToOrganisation(visit: Visit, email: string): Promise<View> {
  const { organisationLogin, signIn } = visit.texts;
  const { login_url } = isHandle(email) ? { login_url: null } : await visit.call(sso.findLogin, { email });
  if (login_url === null)
    throw new Refusal('field_invalid', {
      detail: signIn.passwordMissing,
      errors: [{ pointer: '/password', reason: signIn.passwordMissing }],
    });
  const to = `${login_url}?relay_state=${encodeURIComponent(selectRelayState(readContinuation(visit)))}`;
  const host = readMailDomain(readOutsideValue('email', email));
  const content = html`<p class="lead" role="status">${organisationLogin.lead(host)}</p>
    <p class="buttons"><a class="button" href="${to}">${organisationLogin.button}</a></p>
    <p><a href="${visit.address}">${organisationLogin.back}</a></p>`;
  return showNarrow({ title: organisationLogin.title }, content, {
    layout: 'open',
    refresh_s: 2,
    refresh_to: to,
  });
}

/** The password was right, and MFA is on. The ticket works once, for five minutes. */
function showSecondStep(visit: Visit, mfa_ticket: string) {
  const { secondStep } = visit.texts;
  const hidden = { mfa_ticket };
  const content = html`${renderForm(visit, {
      action: 'code',
      button: secondStep.button,
      focus: true,
      hidden,
      fields: [buildCodeField(secondStep.code)],
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
    <p><a href="${visit.address}">${secondStep.again}</a></p>`;
  return showNarrow(secondStep, content, { layout: 'open' });
}
