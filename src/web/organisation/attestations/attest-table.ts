import { Refusal } from '#lib/refusal.ts';
import * as offers from '#modules/credentials/offers';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { renderUnverified } from '../unverified.ts';
import { listAgreedPeople } from './agreed-people.ts';
import { explainDomain } from './new-attestation.ts';

const header = 'match_id,credential_type,achievement,statement';
const rows_shown = 20;

/** Attests several people, by a table that a spreadsheet can hold. */
export const attestTablePage: Page = {
  show: async (visit) => {
    const { attestTable: texts, newAttestation } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const content = (await renderUnverified(visit)) ?? (await renderTable(visit));
    return showHeaded(texts, content, { back: ['/app/attestations', newAttestation.back] });
  },
  actions: {
    send: async (visit, { csv = '' }) => {
      await listFaults(() => explainDomain(visit, () => visit.call(offers.importAttestations, { csv })));
      return goTo('/app/attestations', 'attestationsOffered');
    },
  },
};

/** Begins with a row for each person who has agreed. */
async function renderTable(visit: Visit): Promise<Html> {
  const { attestTable: texts, newAttestation, forms } = visit.texts;
  const people = (await listAgreedPeople(visit)).slice(0, rows_shown);
  if (people.length === 0) return html`<p>${newAttestation.nobody}</p>`;
  return html`${renderForm(visit, {
      button: texts.button,
      wide: true,
      fields: [
        {
          name: 'csv',
          label: texts.table,
          hint: texts.tableHint,
          lines: 12,
          maxlength: 200_000,
          value: [header, ...people.map(({ match }) => `${match.id},,,`)].join('\n'),
        },
      ],
      after: html`<a href="/app/attestations">${forms.cancel}</a>`,
    })}
    <section class="after">
      <h2>${texts.people}</h2>
      ${renderFacts(people.map(({ match, name }) => [name, html`<code>${match.id}</code>`]))}
    </section>`;
}

/** Puts all faults beside the table: a page has one reason for each field. */
async function listFaults(run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'table_faulty') throw error;
    const reason = (error.extras.errors ?? []).map((each) => each.reason).join('; ');
    throw new Refusal(error.code, { ...error.extras, errors: [{ pointer: '/csv', reason }] });
  }
}
