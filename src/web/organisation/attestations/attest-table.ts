import { isUtf8 } from 'node:buffer';
import { formatCsv } from '#lib/csv.ts';
import { createFieldRefusal } from '#lib/refusal.ts';
import * as offers from '#modules/credentials/offers';
import { renderForm } from '../../parts/form.ts';
import { listTableFaults } from '../list-table-faults.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { renderUnverified } from '../unverified.ts';
import { listAgreedPeople } from './agreed-people.ts';
import { explainDomain } from './new-attestation.ts';

const columns = ['person', 'match_id', 'credential_type', 'achievement', 'statement'];

/** Attests several people, by a table that a spreadsheet can hold. */
export const attestTablePage: Page = {
  show: async (visit) => {
    const { attestTable: texts, newAttestation } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const content = (await renderUnverified(visit)) ?? (await renderTable(visit));
    return showHeaded(texts, content, { back: ['/app/attestations', newAttestation.back] });
  },
  actions: {
    send: (visit, { csv = '' }) => attestPeople(visit, csv),
    upload: (visit, { csv = '' }) => attestPeople(visit, readFile(visit, csv)),
  },
};

async function attestPeople(visit: Visit, csv: string) {
  await listTableFaults('/csv', () =>
    explainDomain(visit, () => visit.call(offers.importAttestations, { csv })),
  );
  return goTo('/app/attestations', 'attestationsOffered');
}

/** Reads a file, which a form has as base64. @throws Refusal `field_invalid` if it is no UTF-8, in which names would become others. */
function readFile({ texts }: Visit, base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw createFieldRefusal('field_invalid', '/csv', texts.attestTable.notUtf8);
  return bytes.toString();
}

/** Begins with a row for each person who has agreed. */
async function renderTable(visit: Visit): Promise<Html> {
  const { attestTable: texts, newAttestation, forms } = visit.texts;
  const people = await listAgreedPeople(visit);
  if (people.length === 0) return html`<p>${newAttestation.nobody}</p>`;
  const rows = people.map(({ match, name }) => [name, match.id, '', '', '']);
  return html`<section>
      <h2>${texts.file}</h2>
      ${renderForm(visit, {
        action: 'upload',
        button: texts.fileButton,
        fields: [
          {
            name: 'csv',
            label: texts.fileField,
            hint: texts.fileHint,
            type: 'file',
            accept: '.csv,text/csv,text/plain',
          },
        ],
      })}
    </section>
    <section class="after">
      <h2>${texts.here}</h2>
      ${renderForm(visit, {
        button: texts.button,
        wide: true,
        fields: [
          {
            name: 'csv',
            label: texts.table,
            hint: texts.tableHint,
            lines: 12,
            maxlength: 200_000,
            value: [...formatCsv(columns, rows)].join(''),
          },
        ],
        after: html`<a href="/app/attestations">${forms.cancel}</a>`,
      })}
    </section>`;
}
