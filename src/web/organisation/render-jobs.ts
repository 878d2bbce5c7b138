import * as matching from '#modules/matching';
import type * as jobs from '#modules/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

type Job = OperationBody<typeof jobs.listJobs>['data'][number];

/** The stations of a job's matches, in order. */
const stations = ['pending_review', 'org_interested', 'member_accepted'] as const;

/** Renders jobs as a list, each with the number of its matches at each station. */
export async function renderJobs(visit: Visit, jobs: readonly Job[]): Promise<Html> {
  const counts = await Promise.all(jobs.map(({ id }) => countMatches(visit, id)));
  const { jobs: texts } = visit.texts;
  return html`<ul class="list">
    ${jobs.map(
      (job, index) =>
        html`<li>
          <a href="/app/jobs/${job.id}"><strong>${job.title}</strong></a>
          <span class="tag ${job.status !== 'active' && 'clay'}">${texts.statuses[job.status]}</span>
          <span class="quiet small"
            >${counts[index]!.map((count, station) => texts.counts[stations[station]!](visit.format.formatNumber(count))).join(' · ')}</span
          >
        </li>`,
    )}
  </ul>`;
}

function countMatches({ call }: Visit, job_id: string): Promise<readonly number[]> {
  return Promise.all(
    stations.map(async (status) => {
      const { pagination } = await call(matching.listJobMatches, { job_id, status, limit: 1 });
      return pagination.total_count;
    }),
  );
}
