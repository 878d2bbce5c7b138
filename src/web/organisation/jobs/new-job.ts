import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import { html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type View, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { jobForm, keepShown, readShown, type Shown } from './impact.ts';
import { buildGroups, buildTextFields, listValues } from './job-fields.ts';
import { renderOccupations, searchOccupations } from './occupations.ts';
import { applyPicks, proposePriorities } from './priorities.ts';
import {
  buildEvidence,
  readPastedText,
  readProposedOccupation,
  readProposedReference,
  renderPaste,
} from './proposal.ts';
import { renderReach } from './reach.ts';
import { readJobForm, collectAllFaults } from './read-job-form.ts';
import { renderQuestions, showBeforeSaving } from './show-before-saving.ts';

const path = '/app/jobs/new';

/** Creates a job, best from the evidence of an occupation, or from a text that says what the work is. */
export const newJobPage: Page = {
  show: (visit) => showEditor(visit),
  actions: {
    read: async (visit, fields) => showEditor(visit, await readPastedText(visit, fields)),
    /** A draft of the page of imports, which is sent as the fields of this form. */
    fill: (visit, fields) =>
      showEditor(visit, { values: { ...listValues(visit, {}, {}), ...fields }, hidden: keepShown(fields) }),
    send: async (visit, sent) => {
      const { chosen } = await searchOccupations(visit);
      const fields = applyPicks(sent);
      const read = readJobForm(visit, fields, proposePriorities(chosen?.trait_priorities ?? {}));
      const shown = await showBeforeSaving(visit, fields, read);
      if (shown) return showEditor(visit, shown);
      const { id } = await collectAllFaults(read, () =>
        visit.call(jobs.createJob, {
          ...read.job,
          ...readShown(fields),
          occupation_code: chosen?.onet_code ?? readProposedOccupation(fields),
          external_ref: readProposedReference(fields),
        }),
      );
      // The comparison that the new job has queued runs once for both, and the page can watch this one.
      const { task_id } = await visit.call(matches.recomputeMatches, { job_id: id });
      return goTo(`/app/jobs/${id}?task=${task_id}`, 'jobCreated');
    },
  },
};

/** @param shown What the visitor has entered already, and what they asked about it. */
async function showEditor(visit: Visit, shown?: Shown): Promise<View> {
  const { jobEditor: texts } = visit.texts;
  if (!isAdmin(visit)) return showAdminsOnly(visit, texts.newTitle);
  const occupations = await searchOccupations(visit);
  const { chosen } = occupations;
  const values =
    shown?.values ??
    listValues(
      visit,
      chosen ? { title: chosen.title, outcome_description: chosen.description } : {},
      proposePriorities(chosen?.trait_priorities ?? {}),
    );
  const hidden = shown?.hidden ?? keepShown(visit.form.values);
  const content = html`${renderOccupations(visit, occupations, { path, title: texts.occupation })}
  ${renderPaste(visit, path)} ${shown?.before_form}
  ${renderForm(visit, {
    button: texts.create,
    wide: true,
    attributes: jobForm.attributes,
    fields: buildTextFields(visit, values),
    groups: buildGroups(visit, values, {
      evidence: buildEvidence(visit, hidden, chosen?.trait_priorities),
      reach: renderReach(visit, shown?.reach),
    }),
    hidden,
    after: html`${renderQuestions(visit)} <a href="/app/jobs">${visit.texts.forms.cancel}</a>`,
  })}
  ${shown?.after_form}`;
  return showHeaded({ title: texts.newTitle, lead: texts.newLead }, content, {
    script: 'job-form.js',
    back: ['/app/jobs', visit.texts.shortlist.back],
  });
}
