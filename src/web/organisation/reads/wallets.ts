import * as payments from '#modules/income/payments';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { renderCopied } from '../webhooks/rotate-webhook.ts';

/** The wallets from which the organisation pays. A wallet is added by its signature of a message, which any wallet program can make. */
export const orgWalletsPage: Page = {
  show: async (visit) => {
    const { orgWallets: words } = visit.texts;
    const { data } = await visit.call(payments.listWallets);
    return showWallets(
      visit,
      html`<p class="lead">${words.lead}</p>
        ${data.length === 0 ? html`<p>${words.empty}</p>` : renderWallets(visit, data)}
        ${isAdmin(visit) && (await renderNext(visit))}`,
    );
  },
  actions: {
    send: async (visit, { address = '' }) => {
      const challenge = await visit.call(payments.createChallenge, { address: address.trim() });
      return showWallets(visit, renderChallenge(visit, address.trim(), challenge));
    },
    bind: async ({ call }, { address = '', signature = '' }) => {
      await call(payments.bindWallet, { address, signature: signature.trim() });
      return goTo('/app/reads/wallets', 'walletAdded');
    },
  },
};

function showWallets({ texts }: Visit, content: Html): View {
  return showNarrow({ title: texts.orgWallets.title }, content, { back: ['/app/reads', texts.reads.back] });
}

type Wallets = OperationBody<typeof payments.listWallets>['data'];

function renderWallets(visit: Visit, wallets: Wallets): Html {
  const { orgWallets: words } = visit.texts;
  return html`<ul class="list stacked">
    ${wallets.map(
      ({ id, address, created_at }) =>
        html`<li>
          <code class="address">${address}</code>
          <span class="quiet small">${words.added(visit.format.formatDate(created_at))}</span>
          ${isAdmin(visit) && html`<a href="/app/reads/wallets/${id}" aria-label="${words.removeFor(address)}">${words.remove}</a>`}
        </li>`,
    )}
  </ul>`;
}

/** The form for an address, or after a refused signature the message to sign again: a new one, because the earlier may have been used. */
async function renderNext(visit: Visit): Promise<Html> {
  const { orgWallets: words, forms } = visit.texts;
  const { action, values } = visit.form;
  const { address = '' } = values;
  if (action === 'bind' && address !== '')
    return renderChallenge(visit, address, await visit.call(payments.createChallenge, { address }));
  return html`<h2>${words.addTitle}</h2>
    ${renderForm(visit, {
      button: words.challenge,
      fields: [{ name: 'address', label: words.address, hint: words.addressHint, maxlength: 42 }],
      after: html`<a href="/app/reads">${forms.cancel}</a>`,
    })}`;
}

type Challenge = OperationBody<typeof payments.createChallenge>;

function renderChallenge(visit: Visit, address: string, { message, expires_at }: Challenge): Html {
  const { orgWallets: words, forms } = visit.texts;
  return html`<h2>${words.signTitle}</h2>
    <p>${words.signLead(visit.format.formatTime(expires_at))}</p>
    ${renderCopied(visit, message)}
    ${renderForm(visit, {
      action: 'bind',
      button: words.bind,
      hidden: { address },
      fields: [
        {
          name: 'signature',
          label: words.signature,
          hint: words.signatureHint,
          lines: 3,
          maxlength: 4_098,
        },
      ],
      after: html`<a href="/app/reads/wallets">${forms.cancel}</a>`,
    })}`;
}
