import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import { renderSwitch } from '../../parts/switch.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../../serving/page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { sendFeedback } from '../../parts/feedback.ts';
import { renderLooks } from '../table/looks.ts';
import { renderVerification } from '../unverified.ts';
import { renderCandidate } from './candidate.ts';
import { buildDecisionActions, renderUndo } from './decisions.ts';
import { renderJobFacts } from './job-facts.ts';
import { renderJobTools, jobToolActions, readTask, renderTask } from './job-tools.ts';
import type { Match } from './match.ts';
import { renderPeople } from './people.ts';
import { placementActions } from './placement.ts';
import { privateNoteActions } from './private-note.ts';
import { buildAddress, readSelection, statuses, tiers, type Selection } from './selection.ts';

const refresh_s = 3;
const rows_max = 100;

/** The shortlist of a job: people by tier, and beside them why the chosen one fits. It never shows a number about a person. */
export const shortlistPage: Page = {
  show: async (visit) => {
    const job_id = visit.params['job_id'] ?? '';
    const task = await readTask(visit);
    const isComparing = task?.status === 'queued' || task?.status === 'running';
    const [job, people, undo] = await Promise.all([
      visit.call(jobs.readJob, { job_id }),
      renderShortlist(visit, readSelection(visit), isComparing),
      renderUndo(visit),
    ]);
    const { shortlist, jobs: texts } = visit.texts;
    const content = html`<p class="back"><a href="/app/jobs">${shortlist.back}</a></p>
      <header class="head with-action">
        <div>
          <h1>${job.title}</h1>
          ${job.status !== 'active' && html`<p><span class="tag clay">${texts.statuses[job.status]}</span> ${shortlist.notActive}</p>`}
        </div>
        ${visit.caller.role === 'org_admin' && html`<p><a class="button quiet" href="/app/jobs/${job_id}/edit">${shortlist.edit}</a></p>`}
      </header>
      ${renderLooks(visit, job_id, 'list')} ${undo} ${task && renderTask(visit, task)} ${people.content}
      ${await renderJobFacts(visit, job)} ${await renderJobTools(visit, job)}`;
    return showView({
      title: job.title,
      layout: 'app',
      content,
      ...((isComparing || people.isPending) && { refresh_s }),
    });
  },
  actions: {
    ...buildDecisionActions((visit) => {
      const selection = readSelection(visit);
      return {
        job_id: selection.job_id,
        buildAddress: (match, status) => buildAddress({ ...selection, ...(status && { status }), match }),
      };
    }),
    ...placementActions,
    ...privateNoteActions,
    feedback: async (visit, fields) => {
      await sendFeedback(visit, fields);
      return goTo(buildAddress({ ...readSelection(visit), match: fields['match_id'] }), 'feedbackSent');
    },
    ...jobToolActions,
  },
};

/** The people, and whether the page has something to wait for. */
type RenderedShortlist = { readonly content: Html; readonly isPending: boolean };

/** @param isComparing Whether people are still being compared with the job, so that nobody in it says nothing yet. */
async function renderShortlist(
  visit: Visit,
  selection: Selection,
  isComparing: boolean,
): Promise<RenderedShortlist> {
  const { job_id, status, quality, cursor } = selection;
  const { shortlist } = visit.texts;
  const page = await readUnlessRefused(['email_not_verified'], () =>
    visit.call(matches.listJobMatches, {
      job_id,
      status,
      // They are many, and one tier among those that a visitor may choose.
      include_developing: false,
      limit: rows_max,
      ...(quality !== undefined && { quality }),
      ...(cursor !== undefined && { cursor }),
    }),
  );
  if (!page) return { content: renderVerification(visit), isPending: false };
  const { data, pagination } = page;
  const chosen = await findChosen(visit, selection, data);
  const candidate = chosen && (await renderCandidate(visit, { match: chosen, matches: data, selection }));
  const { next_cursor } = pagination;
  const nobody =
    data.length === 0 &&
    !isComparing &&
    html`<p class="after quiet">${quality === undefined ? shortlist.empty[status] : shortlist.emptyTier}</p>`;
  const content = html`${renderFilters(visit, selection)}
  ${
    chosen || selection.match !== undefined
      ? html`<div class="sides shortlist">
          ${candidate?.content ?? html`<section class="panel candidate"><p>${shortlist.gone}</p></section>`}
          <div>${nobody || renderPeople(visit, { selection, chosen, matches: data })}</div>
        </div>`
      : nobody
  }
  ${
    (next_cursor !== null || cursor !== undefined) &&
    html`<p class="after buttons">
      ${next_cursor !== null && html`<a class="button quiet" href="${buildAddress({ ...selection, match: undefined, cursor: next_cursor })}">${shortlist.more}</a>`}
      ${cursor !== undefined && html`<a href="${buildAddress({ ...selection, match: undefined, cursor: undefined })}">${shortlist.first}</a>`}
    </p>`
  }`;
  return { content, isPending: candidate?.isPending ?? false };
}

/** Finds the chosen person, who need not be in the part of the list that is shown; without a choice, the first person of the list. */
async function findChosen(
  visit: Visit,
  { job_id, match: match_id }: Selection,
  listed: readonly Match[],
): Promise<Match | undefined> {
  if (match_id === undefined) return listed[0];
  const chosen = listed.find(({ id }) => id === match_id);
  if (chosen) return chosen;
  const match = await readUnlessRefused(['match_not_found', 'field_invalid'], () =>
    visit.call(matches.readMatch, { match_id }),
  );
  return match?.job_id === job_id ? match : undefined;
}

function renderFilters({ texts }: Visit, selection: Selection): Html {
  const { shortlist } = texts;
  const all = { ...selection, match: undefined, cursor: undefined };
  return html`${renderSwitch(
      shortlist.filter,
      statuses.map((status) => [
        buildAddress({ ...all, status }),
        shortlist.filters[status],
        status === selection.status,
      ]),
    )}
    <nav class="tiers" aria-label="${shortlist.tier}">
      <ul class="chips">
        ${[undefined, ...tiers].map((quality) => html`<li><a href="${buildAddress({ ...all, quality })}" ${quality === selection.quality && html`aria-current="true"`}>${quality === undefined ? shortlist.allTiers : texts.matches.tiers[quality]}</a></li>`)}
      </ul>
    </nav>`;
}
