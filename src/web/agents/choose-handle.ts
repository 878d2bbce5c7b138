import * as accounts from '#modules/access/accounts';
import { createFieldRefusal } from '#lib/refusal.ts';
import { renderDocuments } from '../parts/documents.ts';
import { renderForm } from '../parts/form.ts';
import { readPasskey, renderPasskeyForm } from '../parts/passkey-form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, readContinuation, showNarrow, type Page, type View, type Visit } from '../serving/page.ts';
import { buildPasswordField } from '../parts/fields.ts';

const path = '/oauth/handle';

/** Creates an account: first its handle, then how its user logs in. Then returns to the page that asked for it. */
export const chooseHandlePage: Page = {
  show: (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo(readContinuation(visit));
    const { action, values } = visit.form;
    const chosen = action === 'choose' ? undefined : (values['handle'] ?? visit.query['handle']);
    return chosen !== undefined && accounts.isHandle(chosen)
      ? showProtection(visit, chosen)
      : showChoice(visit);
  },
  actions: {
    choose: async (visit, { handle: typed = '' }) => {
      const handle = accounts.toCanonicalHandle(typed);
      const { is_available, reason } = await visit.call(accounts.checkHandle, { handle });
      const { isTaken, isReserved } = visit.texts.handle;
      if (is_available) return goTo(buildAddress(visit, handle));
      throw createFieldRefusal(
        'handle_taken',
        '/handle',
        `@${handle} ${reason === 'reserved' ? isReserved : isTaken}`.replace(/\.$/, ''),
      );
    },
    send: async (visit, { handle = '', password = '', email = '' }) => {
      const address = email.trim();
      const account = { handle, password, ...(address !== '' && { email: address }) };
      await visit.call(accounts.createAccountByHandle, account);
      return goTo(readContinuation(visit), 'accountCreated');
    },
    passkey: async (visit, { handle = '', passkey = '' }) => {
      await visit.call(accounts.createAccountByHandle, { handle, passkey: readPasskey(passkey) });
      return goTo(readContinuation(visit), 'accountCreated');
    },
  },
};

/** This page for a handle, or for another one, with where it continues. */
function buildAddress(visit: Visit, handle: string | undefined): string {
  const query = new URLSearchParams({
    ...(handle !== undefined && { handle }),
    continue: readContinuation(visit),
  });
  return `${path}?${query.toString()}`;
}

function showChoice(visit: Visit): View {
  const { handle: words } = visit.texts;
  const content = html`${renderForm(visit, {
    action: 'choose',
    button: words.button,
    focus: true,
    attributes: html`data-handle data-checking="${words.checking}" data-free="${words.isFree}"
    data-taken="${words.isTaken}" data-reserved="${words.isReserved}" data-wrong="${words.isWrong}"`,
    fields: [
      {
        name: 'handle',
        label: words.handle,
        hint: words.hint,
        autocomplete: 'username',
        value: visit.query['handle'],
        // An @ in front is accepted.
        maxlength: 33,
        evidence: html`<p class="handle-state" role="status"></p>`,
      },
    ],
  })}
  ${renderLogInLink(visit)}`;
  return showNarrow(words, content, { layout: 'open', script: 'handle.js' });
}

async function showProtection(visit: Visit, handle: string): Promise<View> {
  const { handle: words, register } = visit.texts;
  const title = words.protectTitle(handle);
  const hidden = { handle };
  const content = html`${renderForm(visit, {
      button: words.create,
      before_buttons: renderDocuments(visit),
      focus: true,
      hidden,
      fields: [
        buildPasswordField(words.password, register.passwordHint),
        {
          name: 'email',
          label: words.email,
          type: 'email',
          hint: words.emailHint,
          optional: true,
          autocomplete: 'email',
          maxlength: 254,
        },
      ],
    })}
    ${await renderPasskeyWay(visit, handle)}
    <p><a href="${buildAddress(visit, undefined)}">${words.other}</a></p>
    ${renderLogInLink(visit)}`;
  return showNarrow({ title, lead: words.protectLead }, content, { layout: 'open', script: 'passkeys.js' });
}

async function renderPasskeyWay(visit: Visit, handle: string): Promise<Html> {
  const { handle: words } = visit.texts;
  const { public_key } = await visit.call(accounts.requestPasskeyChallenge, {
    purpose: 'create_account',
    handle,
  });
  return html`<div class="other-way">
    <p class="or" aria-hidden="true"><span>${words.or}</span></p>
    ${renderPasskeyForm(visit, {
      ask: 'create',
      public_key,
      form: { action: 'passkey', button: words.passkey, look: 'quiet', hidden: { handle } },
    })}
  </div>`;
}

function renderLogInLink(visit: Visit): Html {
  const { handle: words } = visit.texts;
  const to = `/sign-in?continue=${encodeURIComponent(readContinuation(visit))}`;
  return html`<p>${words.haveAccount} <a href="${to}">${words.logIn}</a></p>`;
}
