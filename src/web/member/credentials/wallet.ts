import * as wallets from '#modules/credentials/wallets';
import type { OperationBody } from '#platform/operation.ts';
import { buildQrCode, formatQrSvg } from '@tessera/pdf/qr-code';
import { requireRecent } from '../../account/require-recent.ts';
import { renderForm } from '../../parts/form.ts';
import { html, trustMarkup } from '../../serving/html.ts';
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
  },
};

type Offer = OperationBody<typeof wallets.createOffer>;

function showOffer(visit: Visit, { offer_link, tx_code, expires_at }: Offer): View {
  const { wallet } = visit.texts;
  return showNarrow(
    { title: wallet.title },
    html`<p class="lead" role="status">${wallet.lead}</p>
      <div class="qr">${trustMarkup(formatQrSvg(buildQrCode(offer_link), wallet.qr))}</div>
      <p><a href="${offer_link}">${wallet.sameDevice}</a></p>
      <h2>${wallet.code}</h2>
      <p class="digits"><code>${tx_code}</code></p>
      <p class="quiet">${wallet.codeNote}</p>
      <p>${wallet.until(visit.format.formatTime(expires_at))}</p>
      <p class="buttons">
        <a class="button quiet" href="/app/credentials/${visit.params['credential_id']}">${wallet.done}</a>
      </p>`,
  );
}
