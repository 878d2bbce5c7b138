import * as jobs from '#modules/jobs';
import * as matching from '#modules/matching';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Action, type Page, type Visit } from '../serving/page.ts';
import { renderCandidate } from './candidate.ts';
import { formatHandle } from './format-handle.ts';
import { renderUnverified } from './unverified.ts';

const rows_max = 100;
const tiers = ['exceptional', 'strong', 'moderate', 'developing'] as const;
const filters = ['pending_review', 'org_interested', 'member_accepted'] as const;

type Status = (typeof filters)[number];

/** The shortlist of a job: people by tier, and beside them why the chosen one fits. It never shows a number about a person. */
export const shortlistPage: Page = {
  show: async (visit) => {
    const job_id = visit.params['job_id'] ?? '';
    const { cursor } = visit.query;
    const status = filters.find((each) => each === visit.query['status']) ?? 'pending_review';
    const job = await visit.call(jobs.readJob, { job_id });
    const unverified = await renderUnverified(visit);
    if (unverified)
      return showView({
        title: job.title,
        layout: 'app',
        content: html`<h1>${job.title}</h1>
          ${unverified}`,
      });
    const page = await visit.call(matching.listJobMatches, {
      job_id,
      status,
      limit: rows_max,
      ...(cursor !== undefined && { cursor }),
    });
    const chosen = page.data.find(({ id }) => id === visit.query['match']) ?? page.data[0];
    const { shortlist } = visit.texts;
    const content = html`<p class="back"><a href="/app/jobs">${shortlist.back}</a></p>
      <header class="head">
        <h1>${job.title}</h1>
        <p class="lead">${job.outcome_description}</p>
      </header>
      ${renderFilters(visit, job_id, status)}
      ${
        chosen
          ? html`<div class="sides shortlist">
              <div>${renderTiers(visit, { job_id, status, chosen, matches: page.data })}</div>
              ${await renderCandidate(visit, chosen)}
            </div>`
          : html`<p class="quiet">${shortlist.empty[status]}</p>`
      }
      ${page.pagination.next_cursor !== null && html`<p class="after"><a href="/app/jobs/${job_id}?status=${status}&amp;cursor=${encodeURIComponent(page.pagination.next_cursor)}">${shortlist.more}</a></p>`}`;
    return showView({ title: job.title, layout: 'app', content });
  },
  actions: { interested: setStatus('org_interested'), pass: setStatus('org_passed') },
};

/** Decides on the chosen person, and returns to the list. */
function setStatus(status: 'org_interested' | 'org_passed'): Action {
  return async ({ call, params }, { match_id = '', note = '' }) => {
    const given = note.trim() === '' ? {} : { note };
    await call(matching.setMatchStatus, { match_id, status, ...given });
    return goTo(`/app/jobs/${params['job_id']}`, 'statusSaved');
  };
}

type Match = OperationBody<typeof matching.listJobMatches>['data'][number];

function renderFilters({ texts: { shortlist } }: Visit, job_id: string, status: Status): Html {
  return html`<nav class="switch" aria-label="${shortlist.filter}">
    <ul>
      ${filters.map((each) => html`<li><a href="/app/jobs/${job_id}?status=${each}" ${each === status && html`aria-current="page"`}>${shortlist.filters[each]}</a></li>`)}
    </ul>
  </nav>`;
}

type List = {
  readonly job_id: string;
  readonly status: Status;
  readonly chosen: Match;
  readonly matches: readonly Match[];
};

function renderTiers({ texts }: Visit, { job_id, status, chosen, matches }: List): Html {
  const byTier = Map.groupBy(matches, ({ match_quality }) => match_quality);
  return html`${tiers.map((tier) => {
    const people = byTier.get(tier);
    return (
      people &&
      html`<section>
        <h2>${texts.matches.tiers[tier]}</h2>
        <ul class="people">
          ${people.map(({ id, member_id }) => html`<li><a href="/app/jobs/${job_id}?status=${status}&amp;match=${id}" ${id === chosen.id && html`aria-current="true"`}>${formatHandle(texts.shortlist.person, member_id)}</a></li>`)}
        </ul>
      </section>`
    );
  })}`;
}
