import { isUtf8 } from 'node:buffer';
import { createFieldRefusal } from '#lib/refusal.ts';
import * as jobs from '#modules/matching/jobs';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { renderForm } from '../../parts/form.ts';
import { listTableFaults } from '../list-table-faults.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type View, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { boardActions, renderFollowedBoards } from './followed-boards.ts';
import { renderAcceptance, renderDrafts } from './render-drafts.ts';

type Imported = OperationBody<typeof jobs.importJobs>;
type JobChange = Omit<OperationInput<typeof jobs.updateJob>, 'job_id'>;

/** Makes drafts of jobs that are published elsewhere, and shows what has changed in those that are known. */
export const importJobsPage: Page = {
  show: (visit) => showImport(visit),
  actions: {
    ...boardActions,
    address: async (visit, { url = '' }) =>
      showImport(visit, await visit.call(jobs.importFromAddress, { url })),
    upload: async (visit, { document = '' }) => showImport(visit, await importFile(visit, document)),
    accept: async (visit, { job_id = '', posted = '' }) => {
      await visit.call(jobs.updateJob, { job_id, ...parseChange(posted) });
      return goTo(`/app/jobs/${job_id}`, 'jobSaved');
    },
  },
};

/** Reads a file, which a form has as base64: a page, JSON-LD or a board, or otherwise a table. */
function importFile(visit: Visit, base64: string): Promise<Imported> {
  const bytes = Buffer.from(base64, 'base64');
  if (!isUtf8(bytes)) throw createFieldRefusal('field_invalid', '/document', visit.texts.jobImport.notUtf8);
  const text = bytes.toString();
  return /^\uFEFF?\s*[<[{]/.test(text)
    ? visit.call(jobs.importJobs, { document: text, format: 'job_posting' })
    : listTableFaults('/document', () => visit.call(jobs.importTable, { csv: text }));
}

/** Parses the change that a form carries. The operation refuses what is none. */
function parseChange(text: string): JobChange {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

async function showImport(visit: Visit, imported?: Imported): Promise<View> {
  const { jobImport: texts, shortlist } = visit.texts;
  if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
  const content = html`${imported && renderDrafts(visit, imported)}
    ${visit.form.action === 'accept' && renderRefused(visit)}
    <section class="after">
      <h2>${texts.address}</h2>
      ${renderForm(visit, {
        action: 'address',
        button: texts.fetch,
        fields: [{ name: 'url', label: texts.url, hint: texts.urlHint, maxlength: 2_000 }],
      })}
    </section>
    ${await renderFollowedBoards(visit)}
    <section class="after">
      <h2>${texts.file}</h2>
      ${renderForm(visit, {
        action: 'upload',
        button: texts.read,
        look: 'quiet',
        fields: [
          {
            name: 'document',
            label: texts.fileField,
            hint: texts.fileHint,
            type: 'file',
            accept: '.csv,.json,.jsonld,.html,.htm,text/csv,application/ld+json,application/json,text/html',
          },
        ],
      })}
    </section>`;
  return showHeaded(texts, content, { back: ['/app/jobs', shortlist.back] });
}

/** A change that was refused, with the reason: the drafts around it are not there any more. */
function renderRefused(visit: Visit): Html {
  const { job_id = '', posted = '' } = visit.form.values;
  return html`<section>
    <h2>${visit.texts.jobImport.refused}</h2>
    ${renderAcceptance(visit, { job_id, posted })}
  </section>`;
}
