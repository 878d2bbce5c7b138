import * as jobs from '#modules/matching/jobs';
import { renderSwitch } from '../../parts/switch.ts';
import { html } from '../../serving/html.ts';
import { readCursor, showView, type Page } from '../../serving/page.ts';
import { renderUnverified } from '../unverified.ts';
import { renderJobs } from './render-jobs.ts';

const rows_max = 20;
const filters = ['active', 'draft', 'closed'] as const;

/** The jobs of the organisation, newest first, each with the people at each station. */
export const jobsPage: Page = {
  show: async (visit) => {
    const { jobs: texts } = visit.texts;
    const status = filters.find((each) => each === visit.query['status']) ?? 'active';
    const { data, pagination } = await visit.call(jobs.listJobs, {
      status,
      limit: rows_max,
      ...readCursor(visit),
    });
    const content = html`<header class="head with-action">
        <div>
          <h1>${texts.title}</h1>
          <p class="lead">${texts.lead}</p>
        </div>
        ${visit.caller.role === 'org_admin' && html`<p><a class="button quiet" href="/app/jobs/import">${texts.import}</a> <a class="button" href="/app/jobs/new">${texts.create}</a></p>`}
      </header>
      ${renderSwitch(
        texts.filter,
        filters.map((each) => [`/app/jobs?status=${each}`, texts.filters[each], each === status]),
      )}
      ${
        data.length === 0
          ? html`<p class="after quiet">${texts.empty[status]}</p>`
          : ((await renderUnverified(visit)) ?? (await renderJobs(visit, data)))
      }
      ${pagination.next_cursor !== null && html`<p class="after"><a href="/app/jobs?status=${status}&amp;cursor=${encodeURIComponent(pagination.next_cursor)}">${texts.more}</a></p>`}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};
