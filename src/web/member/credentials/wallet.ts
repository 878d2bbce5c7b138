import * as wallets from '#modules/credentials/wallets';
import type { OperationBody } from '#platform/operation.ts';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { html, trustMarkup, type Html } from '../../serving/html.ts';
import { showNarrow, type Page, type View, type Visit } from '../../serving/page.ts';
import { readCredential } from './credential-facts.ts';

/** Offers a credential to a wallet. The offer exists once, so it is shown only in reply to the form. */
export const walletPage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { id } = await readCredential(visit);
    const { credential, wallet } = visit.texts;
    return showNarrow(
      { title: wallet.title },
      html`<p class="lead">${credential.walletText}</p>
        ${renderWalletOnPhone(visit, id)}
        ${renderForm(visit, {
          action: 'offer',
          button: wallet.title,
          after: html`<a href="/app/credentials/${id}">${visit.texts.forms.cancel}</a>`,
        })}`,
    );
  },
  actions: {
    offer: async (visit) => {
      const credential_id = visit.params['credential_id'] ?? '';
      return showOffer(visit, await visit.call(wallets.createOffer, { credential_id }));
    },
    offerHere: async (visit) => {
      const credential_id = visit.params['credential_id'] ?? '';
      const device = 'this';
      return showOfferHere(visit, await visit.call(wallets.createOffer, { credential_id, device }));
    },
  },
};

/** One press on a phone or tablet: the wallet is most likely on the device that shows this. */
export function renderWalletOnPhone(visit: Visit, id: string): Html {
  const { wallet } = visit.texts;
  return html`<div class="on-phone">
    ${renderForm(visit, {
      action: 'offerHere',
      button: wallet.onPhone,
      to: `/app/credentials/${id}/wallet`,
    })}
  </div>`;
}

type Offer = OperationBody<typeof wallets.createOffer>;

/** The offer for a wallet on this device: one link, and no digits. */
function showOfferHere(visit: Visit, { offer_link, expires_at }: Offer): View {
  const { wallet } = visit.texts;
  return showNarrow(
    { title: wallet.hereTitle },
    html`<p class="lead" role="status">${wallet.hereLead}</p>
      <p class="buttons"><a class="button" href="${offer_link}">${wallet.open}</a></p>
      <p class="quiet">${wallet.until(visit.format.formatTime(expires_at))}</p>
      ${renderForm(visit, {
        action: 'offer',
        button: wallet.another,
        look: 'quiet',
        after: html`<a href="/app/credentials/${visit.params['credential_id']}">${wallet.done}</a>`,
      })}`,
  );
}

/** The offer for a wallet on another device: a code to scan, and the digits that the wallet asks for. */
function showOffer(visit: Visit, { offer_link, tx_code, expires_at }: Offer): View {
  const { wallet } = visit.texts;
  return showNarrow(
    { title: wallet.title },
    html`<p class="lead" role="status">${wallet.lead}</p>
      <div class="qr">${trustMarkup(formatQrSvg(buildQrCode(offer_link), wallet.qr))}</div>
      <h2>${wallet.code}</h2>
      <p class="digits"><code>${tx_code}</code></p>
      <p class="quiet">${wallet.codeNote}</p>
      <p>${wallet.until(visit.format.formatTime(expires_at))}</p>
      ${renderForm(visit, {
        action: 'offerHere',
        button: wallet.sameDevice,
        look: 'quiet',
        after: html`<a href="/app/credentials/${visit.params['credential_id']}">${wallet.done}</a>`,
      })}`,
  );
}
