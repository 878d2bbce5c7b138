import * as jobs from '#modules/jobs';
import { html } from '../serving/html.ts';
import { showView, type Page } from '../serving/page.ts';
import { renderJobs } from './render-jobs.ts';
import { renderUnverified } from './unverified.ts';

const rows_max = 20;

/** The jobs of the organisation, newest first. */
export const jobsPage: Page = {
  show: async (visit) => {
    const { jobs: texts } = visit.texts;
    const { cursor } = visit.query;
    const { data, pagination } = await visit.call(jobs.listJobs, {
      limit: rows_max,
      ...(cursor !== undefined && { cursor }),
    });
    const content = html`<header class="head">
        <h1>${texts.title}</h1>
        <p class="lead">${data.length === 0 ? texts.empty : texts.lead}</p>
      </header>
      ${data.length > 0 && ((await renderUnverified(visit)) ?? (await renderJobs(visit, data)))}
      ${pagination.next_cursor !== null && html`<p class="after"><a href="/app/jobs?cursor=${encodeURIComponent(pagination.next_cursor)}">${texts.more}</a></p>`}`;
    return showView({ title: texts.title, layout: 'app', content });
  },
};
