import * as payments from '#modules/income/payments';
import { Refusal } from '#lib/refusal.ts';
import { renderConsequences } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { goTo, showView, type Page } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';

/** Removes a wallet, after its consequences. */
export const removeWalletPage: Page = {
  show: async (visit) => {
    const { orgWallets: words, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, words.removeTitle);
    const { data } = await visit.call(payments.listWallets);
    const wallet = data.find(({ id }) => id === visit.params['wallet_id']);
    if (!wallet) throw new Refusal('wallet_not_found');
    const content = html`<div class="narrow">
      <h1>${words.removeTitle}</h1>
      <p class="address"><code>${wallet.address}</code></p>
      ${renderConsequences(words.removeConsequences)}
      ${renderForm(visit, {
        button: words.removeButton,
        look: 'danger',
        after: html`<a href="/app/reads/wallets">${forms.cancel}</a>`,
      })}
    </div>`;
    return showView({ title: words.removeTitle, layout: 'app', content });
  },
  actions: {
    send: async ({ call, params }) => {
      await call(payments.unbindWallet, { wallet_id: params['wallet_id'] ?? '' });
      return goTo('/app/reads/wallets', 'walletRemoved');
    },
  },
};
