import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import type { TraitPriorities } from '#modules/measurement/traits';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type View, type Visit } from '../../serving/page.ts';
import { identifyVersion, renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { jobForm, keepShown, readShown, type Shown } from './impact.ts';
import { buildGroups, buildStatusField, buildTextFields, listValues, type Job } from './job-fields.ts';
import { renderOccupations, searchOccupations, type Occupations } from './occupations.ts';
import { applyPicks, proposePriorities } from './priorities.ts';
import { buildEvidence } from './proposal.ts';
import { renderReach } from './reach.ts';
import { readJobForm, collectAllFaults } from './read-job-form.ts';
import { renderQuestions, showBeforeSaving } from './show-before-saving.ts';

/** Changes a job. An occupation can be compared with it, and its priorities taken over. */
export const editJobPage: Page = {
  show: (visit) => showEditor(visit),
  actions: {
    send: async (visit, sent) => {
      const fields = applyPicks(sent);
      const job_id = visit.params['job_id'] ?? '';
      const [job, occupations] = await Promise.all([
        visit.call(jobs.readJob, { job_id }),
        searchOccupations(visit),
      ]);
      const changed = readJobForm(visit, fields, findStart(visit, job, occupations));
      const taken = findTaken(visit, occupations);
      const shown = await showBeforeSaving(visit, fields, changed);
      if (shown) return showEditor(visit, shown);
      const status = fields['status'] as Job['status'] | undefined;
      const saved = await collectAllFaults(changed, () =>
        visit.call(jobs.updateJob, {
          job_id,
          ...changed.job,
          ...readShown(fields),
          ...(status !== undefined && { status }),
          ...(taken && { occupation_code: taken.onet_code }),
        }),
      );
      if (saved.status !== 'active') return goTo(`/app/jobs/${job_id}`, 'jobSaved');
      const { task_id } = await visit.call(matches.recomputeMatches, { job_id });
      return goTo(`/app/jobs/${job_id}?task=${task_id}`, 'jobSaved');
    },
  },
};

/** Where the sliders start: at the job's priorities, or at what an occupation proposes that the visitor took over. */
function findStart(visit: Visit, job: Job, occupations: Occupations): TraitPriorities {
  const taken = findTaken(visit, occupations);
  return taken ? proposePriorities(taken.trait_priorities) : job.trait_priorities;
}

/** The occupation from which the visitor took over the priorities. The job then starts from its template. */
function findTaken({ query }: Visit, { chosen }: Occupations): Occupations['chosen'] {
  return query['use'] === 'true' ? chosen : undefined;
}

/** @param shown What the visitor has entered already, and what they asked about it. */
async function showEditor(visit: Visit, shown?: Shown): Promise<View> {
  const { jobEditor: texts } = visit.texts;
  const job = await visit.call(jobs.readJob, { job_id: visit.params['job_id'] ?? '' });
  if (!isAdmin(visit)) return showAdminsOnly(visit, job.title);
  const occupations = await searchOccupations(visit);
  const values = shown?.values ?? listValues(visit, job, findStart(visit, job, occupations));
  const address = `/app/jobs/${job.id}`;
  const hidden = shown?.hidden ?? keepShown(visit.form.values);
  const content = html`${renderOccupations(visit, occupations, { path: `${address}/edit`, title: texts.compare })}
  ${renderTakeOver(visit, occupations)}
  ${renderForm(visit, {
    button: texts.save,
    wide: true,
    attributes: jobForm.attributes,
    seen: shown?.values['seen'] ?? identifyVersion(job),
    fields: [...buildTextFields(visit, values), buildStatusField(visit, values)],
    groups: buildGroups(visit, values, {
      evidence: buildEvidence(visit, hidden, occupations.chosen?.trait_priorities),
      reach: renderReach(visit, shown?.reach),
    }),
    hidden,
    after: html`${renderQuestions(visit)} <a href="${address}">${visit.texts.forms.cancel}</a>`,
  })}
  ${shown?.after_form}
  ${job.status !== 'closed' && html`<p class="after"><a href="${address}/close">${texts.close}</a></p>`}`;
  return showHeaded({ title: texts.editTitle, lead: texts.editLead }, content, {
    script: 'job-form.js',
    back: [address, job.title],
  });
}

function renderTakeOver({ texts, query, address }: Visit, { chosen }: Occupations): Html | undefined {
  if (!chosen || query['use'] === 'true') return undefined;
  return html`<p class="after">
    <a class="button quiet" href="${address}&amp;use=true">${texts.jobEditor.takeOver}</a>
  </p>`;
}
