import * as jobs from '#modules/matching/jobs';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type View, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { buildGroups, buildTextFields, listValues, type Values } from './job-fields.ts';
import { renderOccupations, searchOccupations } from './occupations.ts';
import { readJobForm, renameRefusedFields } from './read-job-form.ts';
import { renderReach } from './reach.ts';

const path = '/app/jobs/new';

/** Creates a job, best from the evidence of an occupation. */
export const newJobPage: Page = {
  show: (visit) => showEditor(visit),
  actions: {
    send: async (visit, fields) => {
      const { chosen } = await searchOccupations(visit);
      const job = readJobForm(visit, fields, chosen?.trait_priorities ?? {});
      if (fields['choice'] === 'reach') return showEditor(visit, fields, await renderReach(visit, job));
      const { id } = await renameRefusedFields(() =>
        visit.call(jobs.createJob, { ...job, occupation_code: chosen?.onet_code ?? null }),
      );
      return goTo(`/app/jobs/${id}`, 'jobCreated');
    },
  },
};

/** @param entered What the visitor has entered already, if they only asked how many people the job reaches. */
async function showEditor(visit: Visit, entered?: Values, reach?: Html): Promise<View> {
  const { jobEditor: texts } = visit.texts;
  if (!isAdmin(visit)) return showAdminsOnly(visit, texts.newTitle);
  const occupations = await searchOccupations(visit);
  const { chosen } = occupations;
  const values =
    entered ?? listValues(visit, chosen ? { title: chosen.title } : {}, chosen?.trait_priorities ?? {});
  const content = html`${renderOccupations(visit, occupations, { path, title: texts.occupation })}
  ${renderForm(visit, {
    button: texts.create,
    wide: true,
    fields: buildTextFields(visit, values),
    groups: buildGroups(visit, values, chosen?.trait_priorities),
    before_buttons: reach,
    after: html`<button class="button quiet" name="choice" value="reach">${texts.reach}</button>
      <a href="/app/jobs">${visit.texts.forms.cancel}</a>`,
  })}`;
  return showHeaded({ title: texts.newTitle, lead: texts.newLead }, content, {
    back: ['/app/jobs', visit.texts.shortlist.back],
  });
}
