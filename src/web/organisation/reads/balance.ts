import * as books from '#modules/income/books';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTable } from '../../parts/table.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';

const address = '/app/reads/balance';

/** How many of the latest lines of this month the page shows. The files have all. */
const shown_lines = 1_000;

/** The prepaid balance: what is left, how to fill it, when to be warned, and its statement. */
export const balancePage: Page = {
  show: async (visit) => {
    const { balance: words, reads } = visit.texts;
    const [balance, statement] = await Promise.all([
      visit.call(books.readBalance),
      visit.call(books.exportStatement, { format: 'json', after: 0, limit: shown_lines }),
    ]);
    if (!('data' in statement)) throw new Error('the statement is a file');
    const content = html`${renderLeft(visit, balance)} ${renderFilling(visit, balance)}
    ${isAdmin(visit) && renderWarning(visit, balance)} ${renderStatement(visit, statement)}`;
    return showHeaded(words, content, { back: ['/app/reads', reads.back] });
  },
  actions: {
    send: async (visit, { amount = '' }) => {
      await visit.call(books.announceTopUp, { amount: Number(amount) });
      return goTo(address, 'topUpAnnounced');
    },
    warn: async (visit, { warn_below = '' }) => {
      const wanted = warn_below.trim() === '' ? null : Number(warn_below);
      await visit.call(books.setBalanceWarning, { warn_below: wanted });
      return goTo(address, 'warningChanged');
    },
  },
};

type Balance = OperationBody<typeof books.readBalance>;

function renderLeft({ texts: { balance: words }, format }: Visit, { balance, warn_below }: Balance): Html {
  const isLow = warn_below !== null && balance < warn_below;
  return html`<section class="group">
    ${renderFacts([
      [
        words.left,
        html`<strong>${format.formatAmount(balance, 'USD')}</strong>
          ${isLow && html`<span class="tag soon">${words.low}</span>`}`,
      ],
    ])}
    <p>${words.use} <a href="/app/jobs">${words.toJobs}</a></p>
  </section>`;
}

function renderFilling(visit: Visit, { announced, pay_to }: Balance): Html {
  const { texts, format } = visit;
  const { balance: words } = texts;
  return html`<section class="group">
    <h2>${words.fill}</h2>
    ${
      announced.length > 0 &&
      html`<p>${pay_to === null ? words.askOperator : words.sendTo}</p>
        ${pay_to !== null && html`<p class="address"><strong>${pay_to}</strong></p>`}
        <ul class="history">
          ${announced.map(
            ({ reference, amount, announced_at }) =>
              html`<li>
                <span>${words.announced(format.formatAmount(amount, 'USD'))} <code>${reference}</code></span>
                <span class="quiet small">${words.announcedOn(format.formatTime(announced_at))}</span>
              </li>`,
          )}
        </ul>`
    }
    ${
      isAdmin(visit)
        ? renderForm(visit, {
            button: words.announce,
            look: announced.length > 0 ? 'quiet' : 'primary',
            fields: [
              {
                name: 'amount',
                label: words.amount,
                hint: words.amountHint,
                type: 'number',
                step: 0.01,
                max: 1_000_000,
              },
            ],
          })
        : html`<p class="quiet">${words.adminsFill}</p>`
    }
  </section>`;
}

function renderWarning(visit: Visit, { warn_below }: Balance): Html {
  const { balance: words } = visit.texts;
  return html`<section class="group">
    <h2>${words.warnTitle}</h2>
    ${renderForm(visit, {
      action: 'warn',
      button: words.warnButton,
      look: 'quiet',
      fields: [
        {
          name: 'warn_below',
          label: words.warnBelow,
          hint: words.warnHint,
          type: 'number',
          step: 0.01,
          max: 1_000_000,
          value: warn_below,
          optional: true,
        },
      ],
    })}
  </section>`;
}

type Statement = Extract<OperationBody<typeof books.exportStatement>, { readonly data: unknown }>;

function renderStatement(
  visit: Visit,
  { data, from, to, opening_balance, closing_balance }: Statement,
): Html {
  const { balance: words } = visit.texts;
  const { formatAmount, formatTime, formatNumber } = visit.format;
  return html`<section class="group">
    <h2>${words.statement}</h2>
    <p class="quiet">
      ${words.statementLead(formatAmount(opening_balance, 'USD'), formatAmount(closing_balance, 'USD'))}
    </p>
    ${
      data.length === 0
        ? html`<p class="quiet">${words.noLines}</p>`
        : renderTable(
            words.statement,
            [words.line, words.amountColumn, words.balanceColumn],
            data
              .toReversed()
              .map(({ number, kind, detail, amount, balance, posted_at }) => [
                html`${words.kinds[kind]}: ${describeDetail(visit, kind, detail)}
                  <span class="quiet small"
                    >${words.numbered(formatNumber(number), formatTime(posted_at))}</span
                  >`,
                formatAmount(amount, 'USD'),
                formatAmount(balance, 'USD'),
              ]),
          )
    }
    ${renderFiles(visit, { from, to })}
  </section>`;
}

function describeDetail({ texts: { reads } }: Visit, kind: string, detail: string): string {
  const types: Readonly<Record<string, string>> = reads.types;
  return kind === 'read' ? (types[detail] ?? detail) : detail;
}

/** The days of the files, and the two formats as two buttons of one form that reads. */
function renderFiles(
  { texts: { balance: words } }: Visit,
  { from, to }: { readonly from: string; readonly to: string },
): Html {
  return html`<form class="form quiet" method="get" action="/app/reads/balance/statement">
    <fieldset class="group-of-fields row">
      <legend>${words.files}</legend>
      <div>
        <div class="field">
          <label for="from">${words.from}</label>
          <input id="from" name="from" type="date" value="${from}" required />
        </div>
        <div class="field">
          <label for="to">${words.to}</label>
          <input id="to" name="to" type="date" value="${to}" required />
        </div>
      </div>
    </fieldset>
    <p class="buttons">
      <button class="button quiet" name="format" value="csv">${words.csv}</button>
      <button class="button quiet" name="format" value="pdf">${words.pdf}</button>
    </p>
  </form>`;
}

/** The statement as a file. */
export const statementFilePage: Page = {
  show: async (visit) => {
    const { from, to, format } = visit.query;
    const file = await visit.call(books.exportStatement, {
      format: format === 'csv' ? 'csv' : 'pdf',
      after: 0,
      limit: 1,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    });
    if ('data' in file) throw new Error('the statement is not a file');
    return { kind: 'download', file, media_type: file.media_type };
  },
};
