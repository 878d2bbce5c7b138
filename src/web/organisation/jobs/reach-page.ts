import { Refusal } from '#lib/refusal.ts';
import { html, type Html } from '../../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';
import { applyPicks } from './priorities.ts';
import { describeReach, renderReach } from './reach.ts';
import { readJobForm } from './read-job-form.ts';

/** Says whom the job in the address reaches. The form of a job loads it while its sliders move. */
export const reachPage: Page = {
  show: async (visit) => {
    const { jobEditor: texts } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.reachTitle);
    const content = renderReach(visit, await describeUnlessFaulty(visit), 'h2');
    return showHeaded({ title: texts.reachTitle }, content, { back: ['/app/jobs/new', texts.reachBack] });
  },
};

async function describeUnlessFaulty(visit: Visit): Promise<Html> {
  try {
    return await describeReach(visit, readJobForm(visit, applyPicks(visit.query), {}));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 422) throw error;
    return html`<p>${visit.texts.jobEditor.reachFailed}</p>`;
  }
}
