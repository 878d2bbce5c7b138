import * as accounts from '#modules/access/accounts';
import { Refusal } from '#lib/refusal.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { readPasskey, renderPasskeyForm } from '../parts/passkey-form.ts';
import { describeBrowser } from '#lib/text/describe-browser.ts';
import { requireRecent } from './require-recent.ts';

const path = '/app/account/passkeys';

/** The passkeys of the account: add, rename and remove them. */
export const passkeysPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { passkeys } = visit.texts;
    const { data } = await visit.call(accounts.listPasskeys);
    const content = html`${
      data.length > 0
        ? html`<dl class="rows passkeys">${data.map((passkey) => renderPasskey(visit, passkey))}</dl>
            <p class="quiet after">${passkeys.advice}</p>`
        : html`<p>${passkeys.none}</p>`
    }
    ${await renderAdding(visit)}`;
    return showHeaded(passkeys, content, { script: 'passkeys.js' });
  },
  actions: {
    add: async ({ call }, { name = '', passkey = '' }) => {
      await call(accounts.addPasskey, { name, passkey: readPasskey(passkey) });
      return goTo(path, 'passkeyAdded');
    },
    rename: sendForm(accounts.renamePasskey, path, 'passkeyRenamed'),
    remove: sendForm(accounts.removePasskey, path, 'passkeyRemoved'),
  },
};

type Passkey = {
  readonly id: string;
  readonly name: string;
  readonly synced: boolean;
  readonly created_at: string;
  readonly last_used_at: string | null;
};

function renderPasskey(visit: Visit, { id, name, synced, created_at, last_used_at }: Passkey): Html {
  const { passkeys } = visit.texts;
  const { formatDate, formatTime } = visit.format;
  const used = last_used_at === null ? passkeys.unused : passkeys.used(formatTime(last_used_at));
  const isRefused = visit.form.action === 'rename' && visit.form.values['passkey_id'] === id;
  return html`<div>
    <dt>${name} ${synced && html`<span class="tag">${passkeys.synced}</span>`}</dt>
    <dd class="quiet">${passkeys.added(formatDate(created_at))}<br />${used}</dd>
    <dd class="do">
      <details class="rename" ${isRefused && 'open'}>
        <summary aria-label="${passkeys.renameThis(name)}">${passkeys.rename}</summary>
        ${renderForm(isRefused ? visit : { ...visit, form: { ...visit.form, action: '' } }, {
          action: 'rename',
          button: passkeys.save,
          look: 'quiet',
          hidden: { passkey_id: id },
          fields: [{ name: 'name', id: `rename-${id}`, label: passkeys.name, value: name, maxlength: 60 }],
        })}
      </details>
      ${renderForm(visit, {
        action: 'remove',
        button: passkeys.remove,
        button_label: passkeys.removeThis(name),
        look: 'quiet',
        hidden: { passkey_id: id },
      })}
    </dd>
  </div>`;
}

async function renderAdding(visit: Visit): Promise<Html> {
  const { passkeys } = visit.texts;
  const public_key = await requestCreation(visit);
  if (public_key === undefined) return html`<p>${passkeys.withoutPassword}</p>`;
  const form = renderPasskeyForm(visit, {
    ask: 'create',
    public_key,
    form: {
      action: 'add',
      button: passkeys.add,
      fields: [
        {
          name: 'name',
          label: passkeys.name,
          hint: passkeys.nameHint,
          value: chooseName(visit),
          maxlength: 60,
        },
      ],
    },
  });
  return html`<section class="after">
    <h2>${passkeys.addTitle}</h2>
    <noscript><p>${passkeys.needsScripts}</p></noscript>
    <div class="other-way">${form}</div>
  </section>`;
}

/** The options for the browser; undefined for an account that logs in through its organisation. */
async function requestCreation({ call }: Visit): Promise<object | undefined> {
  try {
    return (await call(accounts.requestPasskeyChallenge, { purpose: 'register' })).public_key;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'account_without_password') return undefined;
    throw error;
  }
}

/** The system that the visitor uses, which is where the passkey will probably be. */
function chooseName({ user_agent }: Visit): string {
  return describeBrowser(user_agent ?? null)?.system ?? '';
}
