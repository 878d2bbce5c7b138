import * as reads from '#modules/income/reads';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { formatPrice } from '../../parts/format-price.ts';
import { renderMonths } from '../../parts/month-chart.ts';
import { renderNextPage } from '../../parts/next-page.ts';
import { html, type Html } from '../../serving/html.ts';
import { readCursor, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { listAllUsers, nameUser, type User } from '../people/user.ts';

const page_reads = 25;

/** What the organisation has read, what is left, and what it has spent. */
export const readsPage: Page = {
  show: async (visit) => {
    const { reads: words } = visit.texts;
    const [allowance, history, users] = await Promise.all([
      visit.call(reads.readAllowance),
      visit.call(reads.listReads, { limit: page_reads, ...readCursor(visit) }),
      // Others may not list the users, and see no name.
      isAdmin(visit) ? listAllUsers(visit) : [],
    ]);
    const content = html`${renderLeft(visit, allowance)} ${renderSpend(visit, allowance)}
    ${renderHistory(visit, history, isAdmin(visit) ? nameUsers(users) : undefined)} ${renderPaying(visit)}`;
    return showHeaded(words, content);
  },
};

function nameUsers(users: readonly User[]): ReadonlyMap<string, string> {
  return new Map(users.map((user) => [user.id, nameUser(user)]));
}

type Allowance = OperationBody<typeof reads.readAllowance>;

function renderLeft({ texts: { reads: words }, format }: Visit, allowance: Allowance): Html {
  const { daily_reads, daily_reads_left, free_reads, free_reads_left, resets_at } = allowance;
  const count = (left: number, all: number) =>
    words.ofReads(format.formatNumber(left), format.formatNumber(all));
  return html`<section class="group">
    <h2>${words.left}</h2>
    ${renderFacts([
      [
        words.today,
        html`${count(daily_reads_left, daily_reads)}
          <span class="quiet small">${words.resets(format.formatTime(resets_at))}</span>`,
      ],
      [
        words.free,
        free_reads === 0
          ? words.noFree
          : html`${count(free_reads_left, free_reads)} <span class="quiet small">${words.freeNote}</span>`,
      ],
    ])}
  </section>`;
}

function renderSpend(visit: Visit, { monthly, currency }: Allowance): Html | undefined {
  const { reads: words } = visit.texts;
  return renderMonths(visit, {
    title: words.spendTitle,
    summarise: words.spendSummary,
    name: words.spent,
    columns: [words.month, words.paidReads, words.freeReads, words.spent],
    currency,
    months: monthly.map(({ month, paid_reads, free_reads, spent }) => ({
      month,
      counts: [paid_reads, free_reads],
      amount: spent,
    })),
  });
}

type History = OperationBody<typeof reads.listReads>;

function renderHistory(
  visit: Visit,
  { data, pagination }: History,
  names: ReadonlyMap<string, string> | undefined,
): Html {
  const { reads: words } = visit.texts;
  return html`<section class="group">
    <h2>${words.historyTitle}</h2>
    ${
      data.length === 0
        ? html`<p class="quiet">
            ${words.historyEmpty} ${words.begin} <a href="/app/jobs">${words.toJobs}</a>
          </p>`
        : html`<ul class="history">
              ${data.map((read) => renderRead(visit, read, names && (names.get(read.user_id) ?? words.former)))}
            </ul>
            <p class="quiet small">${words.pseudonymNote}</p>`
    }
    ${renderNextPage('/app/reads', {}, { next_cursor: pagination.next_cursor, label: words.earlier })}
  </section>`;
}

function renderRead(visit: Visit, read: History['data'][number], user: string | undefined): Html {
  const { id, data_type, member_pseudonym, payment_type, status, created_at } = read;
  const {
    texts: { reads: words },
    format,
  } = visit;
  return html`<li>
    <span>
      ${words.types[data_type]}: ${words.person(reads.formatPseudonym(member_pseudonym))}
      <span class="tag plain">${status === 'reversed' ? words.reversed : words.payments[payment_type]}</span>
    </span>
    <span class="quiet small">
      ${read.price > 0 && html`${formatPrice(visit, read)}, `}
      ${user !== undefined && html`${words.by(user)}, `} ${format.formatTime(created_at)},
      <a
        href="/app/reads/${id}/receipt"
        aria-label="${words.receiptOf(format.formatTime(created_at))}"
        download
        >${words.receipt}</a
      >
    </span>
  </li>`;
}

function renderPaying({ texts: { reads: words, proposedReads, balance } }: Visit): Html {
  return html`<section class="group">
    <h2>${words.payTitle}</h2>
    <p>${words.payLead}</p>
    <p class="buttons">
      <a class="button" href="/app/reads/balance">${balance.title}</a>
      <a class="button quiet" href="/app/reads/wallets">${words.toWallets}</a>
      <a href="/app/reads/transactions">${proposedReads.title}</a>
      <a href="/docs">${words.toDocs}</a>
    </p>
  </section>`;
}
