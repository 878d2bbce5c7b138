import * as books from '#modules/income/books';
import * as payments from '#modules/income/payments';
import type { OperationBody } from '#platform/operation.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

/** The books: whether they are right, what is wrong and what to do, payments without an outcome, and payouts in progress. */
export const ledgerPage: Page = {
  show: async (visit) => {
    const { operatorLedger: words } = visit.texts;
    const [state, unresolved] = await Promise.all([
      visit.call(books.readBooks),
      visit.call(payments.listUnresolved),
    ]);
    const content = html`${renderState(visit, state)} ${renderBalance(visit, state)}
    ${renderUnresolved(visit, unresolved)} ${renderPayouts(visit, state)}`;
    return showHeaded(words, content);
  },
};

type Books = OperationBody<typeof books.readBooks>;

function renderState(visit: Visit, { balanced, checked_at, fault_count, faults }: Books): Html {
  const { operatorLedger: words } = visit.texts;
  const time = visit.format.formatTime(checked_at);
  if (balanced) return html`<p class="message good">${words.balanced(time)}</p>`;
  return html`<p class="message bad">
      ${words.wrong(visit.format.formatNumber(fault_count), fault_count, time)} ${words.stopPayouts}
    </p>
    <section class="group">
      <h2>${words.faultsTitle}</h2>
      <ul class="list stacked">
        ${faults.map(
          ({ code, id, detail }) =>
            html`<li>
              <strong>${words.faults[code].meaning}</strong>
              <span>${words.faults[code].advice}</span>
              <span class="quiet small">${detail} ${id !== null && html`<code>${id}</code>`}</span>
            </li>`,
        )}
      </ul>
    </section>`;
}

function renderBalance({ texts, format }: Visit, { accounts, cash, currency }: Books): Html {
  const { operatorLedger: words } = texts;
  const names = [
    'cash_mock',
    'cash_chain',
    'cash_bank',
    'platform_income',
    'member_income',
    'payouts_in_progress',
    'owed_to_payers',
    'prepaid_balance',
    'balance_in_use',
  ] as const;
  return html`<section class="group">
    <h2>${words.balanceTitle}</h2>
    <p class="quiet">${words.balanceLead} <a href="/app/operator/top-ups">${words.toTopUps}</a></p>
    ${renderTable(
      words.balanceTitle,
      [words.account, words.balance],
      names.map((account) => [words.accounts[account], format.formatAmount(accounts[account], currency)]),
    )}
    <p>
      ${
        cash
          ? cash.is_behind
            ? words.chainBehind
            : words.cash(
                format.formatAmount(cash.books, currency),
                format.formatAmount(cash.chain, currency),
                format.formatAmount(cash.sent, currency),
              )
          : words.noCash
      }
    </p>
  </section>`;
}

type Unresolved = OperationBody<typeof payments.listUnresolved>;

function renderUnresolved({ texts, format }: Visit, { data }: Unresolved): Html {
  const { operatorLedger: words } = texts;
  return html`<section class="group">
    <h2>${words.unresolvedTitle}</h2>
    <p class="quiet">${data.length === 0 ? words.unresolvedEmpty : words.unresolvedLead}</p>
    <ul class="list stacked">
      ${data.map(
        (payment) =>
          html`<li>
            <strong
              >${format.formatAmount(payment.amount, 'USD')}: ${words.states[payment.state].meaning}</strong
            >
            <span>${words.states[payment.state].advice}</span>
            <span class="quiet small">
              ${words.presented(format.formatTime(payment.created_at), payment.rail)}
              <code>${payment.id}</code>
              ${payment.transaction !== null && html`<code>${payment.transaction}</code>`}
              ${payment.reason !== null && html`<code>${payment.reason}</code>`}
            </span>
            <p class="small">
              <a href="/app/operator/organisations/${payment.org_id}">${words.organisation}</a>
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

function renderPayouts({ texts, format }: Visit, { payouts, currency }: Books): Html {
  const { operatorLedger: words } = texts;
  return html`<section class="group">
    <h2>${words.payoutsTitle}</h2>
    <p class="quiet">${payouts.length === 0 ? words.payoutsEmpty : words.payoutsLead}</p>
    <ul class="list stacked">
      ${payouts.map(
        ({ id, kind, status, amount, transaction_hash, requested_at }) =>
          html`<li>
            <strong>${words.payout(format.formatAmount(amount, currency), words.kinds[kind])}</strong>
            <span>${words.payoutStates[status]}</span>
            <span class="quiet small">
              ${format.formatTime(requested_at)} <code>${id}</code>
              ${transaction_hash !== null && html`<code>${transaction_hash}</code>`}
            </span>
          </li>`,
      )}
    </ul>
  </section>`;
}
