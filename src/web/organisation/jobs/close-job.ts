import * as jobs from '#modules/matching/jobs';
import { html } from '../../serving/html.ts';
import { sendForm, showNarrow, type Page } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { renderUnverified } from '../unverified.ts';
import { countMatches, stations } from './render-jobs.ts';

/** Closes a job, after its consequences. */
export const closeJobPage: Page = {
  show: async (visit) => {
    const { closeJob: texts } = visit.texts;
    const job_id = visit.params['job_id'] ?? '';
    const job = await visit.call(jobs.readJob, { job_id });
    if (!isAdmin(visit)) return showAdminsOnly(visit, job.title);
    const counts = (await renderUnverified(visit)) ? undefined : await countMatches(visit, job_id);
    const content = html`${
        counts &&
        html`<ul class="ticks">
          ${stations
            .filter((station) => counts[station] > 0)
            .map(
              (station) =>
                html`<li>${texts.consequences[station](visit.format.formatNumber(counts[station]))}</li>`,
            )}
        </ul>`
      }
      <p>${texts.kept}</p>
      ${renderForm(visit, {
        button: texts.button,
        look: 'danger',
        after: html`<a href="/app/jobs/${job_id}">${visit.texts.forms.cancel}</a>`,
      })}`;
    return showNarrow({ title: texts.title(job.title), lead: texts.lead }, content);
  },
  actions: {
    send: sendForm(jobs.closeJob, '/app/jobs', 'jobClosed'),
  },
};
