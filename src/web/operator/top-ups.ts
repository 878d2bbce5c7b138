import * as books from '#modules/income/books';
import type { OperationBody } from '#platform/operation.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';

const address = '/app/operator/top-ups';

/** What organisations have announced to send, and the form that records what has arrived. */
export const topUpsPage: Page = {
  show: async (visit) => {
    const { topUps: words, operatorLedger } = visit.texts;
    const { data } = await visit.call(books.listTopUps);
    const content = html`<section class="group">
        <h2>${words.waiting}</h2>
        ${data.length === 0 ? html`<p class="quiet">${words.none}</p>` : renderWaiting(visit, data)}
      </section>
      <section class="group">
        <h2>${words.recordTitle}</h2>
        <p class="quiet">${words.recordLead}</p>
        ${renderRecord(visit)}
      </section>`;
    return showHeaded(words, content, { back: ['/app/operator/ledger', operatorLedger.title] });
  },
  actions: {
    send: (visit, { reference = '', amount = '', org_id = '' }) =>
      record(visit, {
        reference: reference.trim(),
        amount: Number(amount),
        ...(org_id.trim() !== '' && { org_id: org_id.trim() }),
      }),
  },
};

async function record(
  visit: Visit,
  arrived: { readonly reference: string; readonly amount: number; readonly org_id?: string },
) {
  await visit.call(books.recordTopUp, arrived);
  return goTo(address, 'topUpRecorded');
}

type Waiting = OperationBody<typeof books.listTopUps>['data'];

function renderWaiting({ texts: { topUps: words }, format }: Visit, waiting: Waiting): Html {
  return html`<ul class="history">
    ${waiting.map(
      ({ reference, amount, org_id, organisation_name, announced_at }) =>
        html`<li>
          <span>
            <code>${reference}</code> ${format.formatAmount(amount, 'USD')}
            <a href="/app/operator/organisations/${org_id}">${organisation_name}</a>
          </span>
          <span class="quiet small">${words.announcedOn(format.formatTime(announced_at))}</span>
        </li>`,
    )}
  </ul>`;
}

function renderRecord(visit: Visit): Html {
  const { topUps: words } = visit.texts;
  return renderForm(visit, {
    button: words.record,
    fields: [
      { name: 'reference', label: words.reference, hint: words.referenceHint, maxlength: 40 },
      { name: 'amount', label: words.amount, type: 'number', step: 0.01, max: 1_000_000 },
      {
        name: 'org_id',
        label: words.organisation,
        hint: words.organisationHint,
        maxlength: 36,
        optional: true,
      },
    ],
  });
}
