import * as payments from '#modules/income/payments';
import { Refusal } from '#lib/refusal.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { renderForm } from '../../parts/form.ts';
import { html } from '../../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';

/** Removes a wallet, after its consequences. */
export const removeWalletPage: Page = {
  show: async (visit) => {
    const { orgWallets: words, forms } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, words.removeTitle);
    const { data } = await visit.call(payments.listWallets);
    const wallet = data.find(({ id }) => id === visit.params['wallet_id']);
    if (!wallet) throw new Refusal('wallet_not_found');
    const content = html`<p class="address"><code>${wallet.address}</code></p>
      ${renderTicks(words.removeConsequences)}
      ${renderForm(visit, {
        button: words.removeButton,
        look: 'danger',
        after: html`<a href="/app/reads/wallets">${forms.cancel}</a>`,
      })}`;
    return showNarrow({ title: words.removeTitle }, content);
  },
  actions: {
    send: sendForm(payments.unbindWallet, '/app/reads/wallets', 'walletRemoved'),
  },
};
