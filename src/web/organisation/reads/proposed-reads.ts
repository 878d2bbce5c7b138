import * as books from '#modules/income/books';
import * as reads from '#modules/income/reads';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { formatAsked } from '../../parts/format-price.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Html } from '../../serving/html.ts';
import { readCursor, sendForm, showHeaded, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { formatHandle } from '#modules/matching/matches';
import { showRead } from './new-read.ts';

const page_rows = 25;
const address = '/app/reads/transactions';

/** What members have proposed to sell to the organisation. An administrator pays or declines each. */
export const proposedReadsPage: Page = {
  show: async (visit) => {
    const { proposedReads: words, marketplace } = visit.texts;
    const { data, pagination } = await visit.call(reads.listOrganisationMarketplaceReads, {
      status: 'pending',
      limit: page_rows,
      ...readCursor(visit),
    });
    const content = html`${data.length === 0 ? html`<p class="quiet">${words.empty}</p>` : html`<p>${words.once}</p>`}
      <ul class="history">
        ${data.map((transaction) => renderProposed(visit, transaction))}
      </ul>
      ${renderNextPage(address, {}, { next_cursor: pagination.next_cursor, label: marketplace.earlier })}`;
    return showHeaded(words, content, { back: ['/app/reads', words.back] });
  },
  actions: {
    decline: sendForm(reads.declineProposal, address, 'transactionDeclined'),
    pay: async (visit, { transaction_id = '' }) => {
      const proposed = await visit.call(reads.readMarketplaceRead, { transaction_id });
      const { member_id, org_id, data_type, price_aud, status } = proposed;
      // A form that is sent twice must not buy twice.
      if (status !== 'pending' || member_id === null) throw new Refusal('transaction_ended');
      const wanted = { member_id, org_id, data_type, price_aud };
      const { balance } = await visit.call(books.readBalance);
      // A transaction is paid once, so its id is the key of its payment.
      const payment = balance > 0 ? { balance_key: `transaction-${transaction_id}` } : undefined;
      const bought = await readUnlessRefused(['payment_required', 'payment_balance_too_low'], () =>
        visit.call(reads.createMarketplaceRead, wanted, payment),
      );
      return bought?.result ? showRead(visit, bought.result) : showHowToPay(visit, wanted);
    },
  },
};

type Transaction = OperationBody<typeof reads.listOrganisationMarketplaceReads>['data'][number];

function renderProposed(visit: Visit, transaction: Transaction): Html {
  const { proposedReads: words, marketplace, reads: readTexts, shortlist } = visit.texts;
  const { id, member_id, data_type, expires_at } = transaction;
  const person = formatHandle(shortlist.person, member_id ?? id);
  const hidden = { transaction_id: id };
  return html`<li>
    <span>${words.row(person, readTexts.types[data_type], formatAsked(visit, transaction))}</span>
    <span class="quiet small">
      ${expires_at !== null && marketplace.until(visit.format.formatTime(expires_at))}
    </span>
    ${
      isAdmin(visit) &&
      html`${renderForm(visit, { action: 'pay', button: words.pay, button_label: words.payFor(person), hidden })}
      ${renderForm(visit, {
        action: 'decline',
        button: words.decline,
        button_label: words.declineFor(person),
        look: 'quiet',
        hidden,
      })}`
    }
  </li>`;
}

type Wanted = Pick<Transaction, 'org_id' | 'data_type' | 'price_aud'> & { readonly member_id: string };

/** Where a payment must be signed and the balance cannot pay, a page cannot make it. */
function showHowToPay({ texts: { proposedReads: words, balance } }: Visit, wanted: Wanted) {
  const values = Object.entries(wanted).map(([name, value]) => [name, html`<code>${value}</code>`] as const);
  return showNarrow(
    { title: words.title },
    html`<p class="message">${words.howToPay} <a href="/app/reads/balance">${balance.fill}</a></p>
      ${renderFacts([[words.request, html`<code>POST /marketplace/transactions</code>`], ...values])}`,
    { back: [address, words.title] },
  );
}
