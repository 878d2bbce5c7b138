import * as matches from '#modules/matching/matches';
import type * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

type Job = OperationBody<typeof jobs.listJobs>['data'][number];

/** The stations of a job's matches, in order. */
export const stations = ['pending_review', 'org_interested', 'member_accepted'] as const;

/** How many people are at each station of a job. */
export type StationCounts = Readonly<Record<(typeof stations)[number], number>>;

/** Renders jobs as a list, each with the number of people at each station. */
export async function renderJobs(visit: Visit, jobs: readonly Job[]): Promise<Html> {
  const counts = await Promise.all(jobs.map(({ id }) => countMatches(visit, id)));
  const { jobs: texts } = visit.texts;
  return html`<ul class="list funnel">
    ${jobs.map(
      ({ id, title, status }, index) =>
        html`<li>
          <div>
            <a href="/app/jobs/${id}"><strong>${title}</strong></a>
            ${status !== 'active' && html`<span class="tag clay">${texts.statuses[status]}</span>`}
          </div>
          <ul class="stations">
            ${stations.map((station) => renderStation(visit, id, { station, count: counts[index]![station] }))}
          </ul>
        </li>`,
    )}
  </ul>`;
}

type Station = { readonly station: (typeof stations)[number]; readonly count: number };

function renderStation({ texts, format }: Visit, job_id: string, { station, count }: Station): Html {
  const words = html`<b>${format.formatNumber(count)}</b> ${texts.jobs.stations[station]}`;
  return html`<li>
    ${count === 0 ? html`<span class="quiet">${words}</span>` : html`<a href="/app/jobs/${job_id}?status=${station}">${words}</a>`}
  </li>`;
}

export async function countMatches({ call }: Visit, job_id: string): Promise<StationCounts> {
  const [pending_review, org_interested, member_accepted] = await Promise.all(
    stations.map(async (status) => {
      const { pagination } = await call(matches.listJobMatches, {
        job_id,
        status,
        include_developing: false,
        limit: 1,
      });
      return pagination.total_count;
    }),
  );
  return {
    pending_review: pending_review ?? 0,
    org_interested: org_interested ?? 0,
    member_accepted: member_accepted ?? 0,
  };
}
