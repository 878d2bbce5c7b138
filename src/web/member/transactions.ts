import * as reads from '#modules/income/reads';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../parts/form.ts';
import { formatAsked } from '../parts/format-price.ts';
import { renderNextPage } from '../parts/next-page.ts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';

const page_rows = 25;

/** What the member has sold on the marketplace, and has offered there. */
export const ownTransactionsPage: Page = {
  show: async (visit) => {
    const { ownTransactions: words, marketplace } = visit.texts;
    const { data, pagination } = await visit.call(reads.listMemberMarketplaceReads, {
      limit: page_rows,
      ...readCursor(visit),
    });
    const content = html`${data.length === 0 && html`<p class="quiet">${words.empty}</p>`}
      <ul class="history">
        ${data.map((transaction) => renderTransaction(visit, transaction))}
      </ul>
      ${renderNextPage('/app/income/transactions', {}, { next_cursor: pagination.next_cursor, label: marketplace.earlier })}`;
    return showHeaded(words, content, { back: ['/app/income', words.back] });
  },
  actions: {
    withdraw: sendForm(reads.declineProposal, '/app/income/transactions', 'transactionWithdrawn'),
  },
};

type Transaction = OperationBody<typeof reads.listMemberMarketplaceReads>['data'][number];

function renderTransaction(visit: Visit, transaction: Transaction): Html {
  const { ownTransactions: words, marketplace, consent } = visit.texts;
  const { id, data_type, status, expires_at, created_at } = transaction;
  const recorded = visit.format.formatTime(created_at);
  return html`<li>
    <span>
      ${words.row(consent.categories[data_type].title, formatAsked(visit, transaction))}
      <span class="tag ${status !== 'completed' && 'plain'}">${marketplace.statuses[status]}</span>
    </span>
    <span class="quiet small">
      ${recorded}.
      ${status === 'pending' && expires_at !== null && marketplace.until(visit.format.formatTime(expires_at))}
    </span>
    ${
      status === 'pending' &&
      renderForm(visit, {
        action: 'withdraw',
        button: words.withdraw,
        button_label: words.withdrawFor(recorded),
        look: 'quiet',
        hidden: { transaction_id: id },
      })
    }
  </li>`;
}
