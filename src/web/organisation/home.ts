import * as auth from '#modules/auth';
import * as jobs from '#modules/jobs';
import * as matching from '#modules/matching';
import * as orgs from '#modules/orgs';
import { html, type Html } from '../serving/html.ts';
import { showView, type View, type Visit } from '../serving/page.ts';
import { renderJobs } from './render-jobs.ts';
import { renderUnverified } from './unverified.ts';

const jobs_max = 5;

/** The home of a user of an organisation: who has accepted, and the open jobs. */
export async function showOrganisationHome(visit: Visit): Promise<View> {
  const { organisationHome } = visit.texts;
  const me = await visit.call(auth.readMe);
  const { name } = await visit.call(orgs.readOrganisation);
  const content = html`<header class="head">
      <h1>${name}</h1>
      <p class="lead">${organisationHome.loggedInAs(me.display_name ?? me.email)}</p>
    </header>
    ${(await renderUnverified(visit)) ?? (await renderWork(visit))}`;
  return showView({ title: organisationHome.title, layout: 'app', content });
}

async function renderWork(visit: Visit): Promise<Html> {
  const { organisationHome } = visit.texts;
  const [open, agreed] = await Promise.all([
    visit.call(jobs.listJobs, { status: 'active', limit: jobs_max }),
    visit.call(matching.listOrganisationMatches, { status: 'member_accepted', limit: 1 }),
  ]);
  const count = agreed.pagination.total_count;
  if (open.data.length === 0) return html`<p class="lead">${organisationHome.noJobs}</p>`;
  return html`<p>
      ${count === 0 ? organisationHome.noAnswers : organisationHome.answers(visit.format.formatNumber(count))}
    </p>
    <section class="group">
      <h2>${organisationHome.openJobs}</h2>
      ${await renderJobs(visit, open.data)}
      <p class="after"><a href="/app/jobs">${visit.texts.shortlist.back}</a></p>
    </section>`;
}
