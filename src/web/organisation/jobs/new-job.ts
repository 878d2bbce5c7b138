import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import { html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type View, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { jobForm, keepShown, readShown, type Shown } from './impact.ts';
import { buildGroups, buildTextFields, listValues } from './job-fields.ts';
import { renderOccupations, searchOccupations } from './occupations.ts';
import { proposePriorities } from './priorities.ts';
import { readJobForm, renameRefusedFields } from './read-job-form.ts';
import { renderQuestions, showBeforeSaving } from './show-before-saving.ts';

const path = '/app/jobs/new';

/** Creates a job, best from the evidence of an occupation. */
export const newJobPage: Page = {
  show: (visit) => showEditor(visit),
  actions: {
    send: async (visit, fields) => {
      const { chosen } = await searchOccupations(visit);
      const job = readJobForm(visit, fields, proposePriorities(chosen?.trait_priorities ?? {}));
      const shown = await showBeforeSaving(visit, fields, job);
      if (shown) return showEditor(visit, shown);
      const { id } = await renameRefusedFields(() =>
        visit.call(jobs.createJob, {
          ...job,
          ...readShown(fields),
          occupation_code: chosen?.onet_code ?? null,
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
      chosen ? { title: chosen.title } : {},
      proposePriorities(chosen?.trait_priorities ?? {}),
    );
  const content = html`${renderOccupations(visit, occupations, { path, title: texts.occupation })}
  ${renderForm(visit, {
    button: texts.create,
    wide: true,
    attributes: jobForm.attributes,
    fields: buildTextFields(visit, values),
    groups: buildGroups(visit, values, chosen?.trait_priorities),
    hidden: shown?.hidden ?? keepShown(visit.form.values),
    before_buttons: shown?.before_buttons,
    after: html`${renderQuestions(visit)} <a href="/app/jobs">${visit.texts.forms.cancel}</a>`,
  })}
  ${shown?.after_form}`;
  return showHeaded({ title: texts.newTitle, lead: texts.newLead }, content, {
    back: ['/app/jobs', visit.texts.shortlist.back],
  });
}
