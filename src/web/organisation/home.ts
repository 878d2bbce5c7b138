import * as accounts from '#modules/access/accounts';
import * as culture from '#modules/organisations/culture';
import * as jobs from '#modules/matching/jobs';
import * as reads from '#modules/income/reads';
import * as matches from '#modules/matching/matches';
import * as orgs from '#modules/organisations/orgs';
import * as reviews from '#modules/matching/reviews';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { showView, type View, type Visit } from '../serving/page.ts';
import { isAdmin } from './admins-only.ts';
import { renderJobs } from './jobs/render-jobs.ts';
import { hasFewMembers, renderBeginning } from './beginning.ts';
import { renderUnverified } from './unverified.ts';

const jobs_max = 5;
const answers_max = 10;

type Job = OperationBody<typeof jobs.listJobs>['data'][number];

/** The home of a user of an organisation: new answers, the next steps, and the open jobs. */
export async function showOrganisationHome(visit: Visit): Promise<View> {
  const { organisationHome } = visit.texts;
  const me = await visit.call(accounts.readMe);
  const { name } = await visit.call(orgs.readOrganisation);
  const unverified = await renderUnverified(visit);
  const isEmpty = !unverified && (await hasFewMembers(visit));
  const content = html`<header class="head">
      <h1>${name}</h1>
      <p class="lead">${organisationHome.loggedInAs(me.display_name ?? accounts.toLoginName(me))}</p>
    </header>
    ${isEmpty && renderBeginning(visit)} ${await renderWork(visit, unverified)}`;
  const view = { title: organisationHome.title, layout: 'app', content } as const;
  return showView(isEmpty === undefined ? { ...view, refresh_s: counting_s } : view);
}

/** After how many seconds the page looks again while members are counted for the first time. */
const counting_s = 3;

async function renderWork(visit: Visit, unverified: Html | undefined): Promise<Html> {
  const { organisationHome } = visit.texts;
  const [open, questionnaire] = await Promise.all([
    visit.call(jobs.listJobs, { status: 'active', limit: jobs_max }),
    visit.call(culture.readQuestionnaire),
  ]);
  const steps = renderSteps(visit, {
    needsJob: open.data.length === 0,
    needsAnswers: questionnaire.answered_at === null,
  });
  if (unverified)
    return html`<section class="panel reading">${unverified}</section>
      ${steps}`;
  return html`${await renderReviews(visit)} ${await renderProposed(visit)}
  ${await renderAnswers(visit, open.data)} ${steps}
  ${
    open.data.length > 0 &&
    html`<section class="group">
      <h2>${organisationHome.openJobs}</h2>
      ${await renderJobs(visit, open.data)}
      <p class="after"><a href="/app/jobs">${visit.texts.shortlist.back}</a></p>
    </section>`
  }`;
}

/** The people who have accepted, by job: somebody is waiting to hear from the organisation. */
async function renderAnswers(visit: Visit, open: readonly Job[]): Promise<Html | undefined> {
  const { organisationHome } = visit.texts;
  const { data, pagination } = await visit.call(matches.listOrganisationMatches, {
    status: 'member_accepted',
    limit: answers_max,
  });
  if (data.length === 0) return undefined;
  const titles = new Map(open.map(({ id, title }) => [id, title]));
  const byJob = [...Map.groupBy(data, ({ job_id }) => job_id)];
  const count = pagination.total_count;
  return html`<section class="panel answers-panel" aria-labelledby="answers">
    <h2 id="answers">${organisationHome.answers(count, visit.format.formatNumber(count))}</h2>
    <p>${organisationHome.answersLead}</p>
    <ul class="plain-list links">
      ${byJob.map(([job_id]) => html`<li><a href="/app/jobs/${job_id}?status=member_accepted">${titles.get(job_id) ?? organisationHome.otherJob}</a></li>`)}
    </ul>
  </section>`;
}

/** The human reviews that wait for an answer. */
async function renderReviews(visit: Visit): Promise<Html | undefined> {
  const { reviews: words } = visit.texts;
  const { pagination } = await visit.call(reviews.listOrganisationReviews, { status: 'open', limit: 1 });
  const count = pagination.total_count;
  if (count === 0) return undefined;
  return html`<section class="panel">
    <p><a href="/app/reviews">${words.waiting(visit.format.formatNumber(count), count)}</a></p>
  </section>`;
}

/** What members have proposed to sell, which waits for an answer. */
async function renderProposed(visit: Visit): Promise<Html | undefined> {
  const { pagination } = await visit.call(reads.listOrganisationMarketplaceReads, {
    status: 'pending',
    limit: 1,
  });
  const count = pagination.total_count;
  if (count === 0) return undefined;
  const words = visit.texts.proposedReads.waiting(visit.format.formatNumber(count), count);
  return html`<section class="panel">
    <p><a href="/app/reads/transactions">${words}</a></p>
  </section>`;
}

type Steps = { readonly needsJob: boolean; readonly needsAnswers: boolean };

/** What is worth doing next. */
function renderSteps(visit: Visit, { needsJob, needsAnswers }: Steps): Html | undefined {
  const { steps } = visit.texts.organisationHome;
  const list = [
    needsJob && isAdmin(visit) && ([steps.job, '/app/jobs/new'] as const),
    needsAnswers && ([steps.culture, '/app/culture'] as const),
    needsJob && isAdmin(visit) && ([steps.people, '/app/people'] as const),
  ].filter((step) => step !== false);
  if (list.length === 0) return undefined;
  return html`<section class="group next-steps">
    <h2>${visit.texts.organisationHome.next}</h2>
    <ul>
      ${list.map(
        ([{ title, text, button }, address]) =>
          html`<li>
            <h3>${title}</h3>
            <p class="quiet">${text}</p>
            <p class="buttons"><a class="button quiet" href="${address}">${button}</a></p>
          </li>`,
      )}
    </ul>
  </section>`;
}
