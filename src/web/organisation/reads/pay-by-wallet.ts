import type { Refusal } from '#lib/refusal.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { showNarrow, type View, type Visit } from '../../serving/page.ts';

/** The script that asks a wallet. Pages with {@link renderWallet} or {@link renderPending} load it. */
export const wallet_script = 'pay-by-wallet.js';

/** The terms of version 2 of the x402 protocol, as the header of a reply with status 402 has them; undefined where that rail is off. */
function readTerms({ extras }: Refusal): object | undefined {
  const header = extras.headers?.['payment-required'];
  if (header === undefined) return undefined;
  // The service has written it.
  const { accepts } = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as { accepts: object[] };
  return accepts[0];
}

/** Renders the button that pays by a wallet of the browser. It is hidden unless the script runs, which asks the wallet to sign. */
export function renderWallet(
  visit: Visit,
  refusal: Refusal,
  { data_type, amount }: { readonly data_type: string; readonly amount: string },
): Html | undefined {
  const { payByWallet: words } = visit.texts;
  const terms = readTerms(refusal);
  if (!terms) return undefined;
  const { wrongChain, rejected, missing, failed } = words;
  return renderForm(visit, {
    action: 'wallet',
    button: words.pay(amount),
    look: 'quiet',
    hidden: { data_type, payment: '' },
    before_buttons: html`<p>${words.lead}</p>
      <div class="field wallet-choice" hidden>
        <label for="wallet-choice">${words.choice}</label>
        <select id="wallet-choice"></select>
      </div>
      <p class="message bad wallet-message" role="alert" hidden></p>`,
    attributes: html`hidden data-wallet="${JSON.stringify(terms)}" data-wrong-chain="${wrongChain}"
    data-rejected="${rejected}" data-missing="${missing}" data-failed="${failed}"
    ${refusal.code !== 'payment_required' && 'data-refused'}`,
  });
}

/** Renders the form that sends a signed payment again whose reply was lost. The script shows it if there is one. */
export function renderPending(visit: Visit): Html {
  const { payByWallet: words } = visit.texts;
  return html`<div class="message" data-wallet-pending hidden>
    <p>${words.pending}</p>
    ${renderForm(visit, { action: 'wallet', button: words.again, hidden: { data_type: '', payment: '' } })}
  </div>`;
}

/** Shows that the outcome of a payment is not known yet, with the button that sends the same payment again. */
export function showUnresolved(
  visit: Visit,
  hidden: { readonly data_type: string; readonly payment: string },
): View {
  const { payByWallet: words } = visit.texts;
  const content = renderForm(visit, {
    action: 'wallet',
    button: words.again,
    hidden,
    before_buttons: html`<p class="message bad" role="alert">${words.unresolved}</p>`,
  });
  return { ...showNarrow({ title: words.unresolvedTitle }, content), status: 503 };
}

/** Reads what the script has put into the form. What is no JSON is no payment, and the operation says so. */
export function parsePayment(text: string): object {
  try {
    const payment: unknown = JSON.parse(text);
    return typeof payment === 'object' && payment !== null ? payment : {};
  } catch {
    return {};
  }
}
