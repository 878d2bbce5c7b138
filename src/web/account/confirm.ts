import * as accounts from '#modules/access/accounts';
import * as sso from '#modules/access/sso';
import { html, type Html } from '../serving/html.ts';
import {
  goTo,
  readContinuation,
  selectRelayState,
  showNarrow,
  type Page,
  type Visit,
} from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { readPasskey, renderPasskeyForm } from '../parts/passkey-form.ts';
import { buildCodeField, buildPasswordField } from '../parts/fields.ts';

/** Asks for the password or a code before a change that could cost the account, and then returns to it. */
export const confirmPage: Page = {
  show: async (visit) => {
    const { confirm } = visit.texts;
    const { mfa_enabled, email } = await visit.call(accounts.readMe);
    const login = email === null ? undefined : await visit.call(sso.findLogin, { email });
    const { data: passkeys } = await visit.call(accounts.listPasskeys);
    const content = html`${renderForm(visit, {
      button: confirm.button,
      focus: true,
      fields: [buildPasswordField(confirm.password)],
    })}
    ${login && login.login_url !== null && renderLogin(visit, login.login_url)}
    ${passkeys.length > 0 && (await renderPasskey(visit))}
    ${
      mfa_enabled &&
      html`<h2>${confirm.byCode}</h2>
        ${renderForm(visit, {
          action: 'code',
          button: confirm.button,
          look: 'quiet',
          fields: [buildCodeField(confirm.code)],
        })}`
    }`;
    return showNarrow(confirm, content, { script: 'passkeys.js' });
  },
  actions: {
    send: async (visit, { password = '' }) => {
      await visit.call(accounts.reauthenticateUser, { password });
      return goTo(readContinuation(visit, '/app/account'));
    },
    passkey: async (visit, { passkey = '' }) => {
      await visit.call(accounts.reauthenticateUser, { passkey: readPasskey(passkey) });
      return goTo(readContinuation(visit, '/app/account'));
    },
    code: async (visit, { code = '' }) => {
      await visit.call(accounts.reauthenticateUser, { code: code.replace(/\s/g, '') });
      return goTo(readContinuation(visit, '/app/account'));
    },
  },
};

/** Users of single sign-on have no password: they log in again, and return. */
function renderLogin(visit: Visit, login_url: string): Html {
  const returning = selectRelayState(readContinuation(visit, '/app/account'));
  return html`<p>
    <a href="${login_url}?relay_state=${encodeURIComponent(returning)}">${visit.texts.confirm.bySso}</a>
  </p>`;
}

async function renderPasskey(visit: Visit): Promise<Html> {
  const { confirm } = visit.texts;
  const { public_key } = await visit.call(accounts.requestPasskeyChallenge, { purpose: 'reauthenticate' });
  const form = { action: 'passkey', button: confirm.byPasskey, look: 'quiet' } as const;
  return html`<div class="other-way">
    <h2>${confirm.byPasskeyTitle}</h2>
    ${renderPasskeyForm(visit, { ask: 'get', public_key, form })}
  </div>`;
}
