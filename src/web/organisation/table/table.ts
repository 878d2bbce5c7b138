import * as jobs from '#modules/matching/jobs';
import * as matching from '#modules/matching/matches';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showView, type Action, type Page, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { isAdmin } from '../admins-only.ts';
import {
  buildDecisionActions,
  readTicked,
  renderDecisionOnAll,
  renderTakeBack,
  renderUndo,
} from '../shortlist/decisions.ts';
import { nameMatch } from '../shortlist/match.ts';
import { buildAddress } from '../shortlist/selection.ts';
import { renderVerification } from '../unverified.ts';
import { renderFilters, renderViews, viewActions } from './filters.ts';
import { renderLooks } from './looks.ts';
import { renderPins, togglePin } from './pins.ts';
import { renderTableOfPeople, type ShownRows, type Table, type TableRow } from './table-rows.ts';
import {
  buildCompareAddress,
  buildTableAddress,
  readTableSelection,
  type TableSelection,
} from './table-view.ts';

const refresh_s = 3;
const rows_max = 100;

const decisions = buildDecisionActions((visit) => {
  const selection = readTableSelection(visit);
  return {
    job_id: selection.job_id,
    buildAddress: (match) => buildTableAddress({ ...selection, match }),
  };
});

/** The people of a job as a table, and a bar at the foot of the window that decides on one of them. */
export const tablePage: Page = {
  show: async (visit) => {
    const { job_id } = readTableSelection(visit);
    const { shortlist } = visit.texts;
    const job = await visit.call(jobs.readJob, { job_id });
    const [people, undo] = await Promise.all([renderPeople(visit), renderUndo(visit)]);
    const content = html`<p class="back"><a href="/app/jobs">${shortlist.back}</a></p>
      <header class="head">
        <h1>${job.title}</h1>
      </header>
      ${renderLooks(visit, job_id, 'table')} ${undo} ${people.content}`;
    return showView({
      title: job.title,
      layout: 'app',
      content,
      ...(people.isPending && { refresh_s }),
    });
  },
  actions: {
    ...decisions,
    decideOnAll: (visit, fields) =>
      fields['choice'] === 'compare' ? compareTicked(visit, fields) : decisions.decideOnAll(visit, fields),
    ...viewActions,
  },
};

const compareTicked: Action = (visit, fields) =>
  goTo(buildCompareAddress(readTableSelection(visit).job_id, readTicked(fields)));

type RenderedPeople = { readonly content: Html; readonly isPending: boolean };

async function renderPeople(visit: Visit): Promise<RenderedPeople> {
  const selection = readTableSelection(visit);
  const { job_id } = selection;
  await visit.call(jobs.recordVisit, { job_id });
  const [page, { data: views }] = await Promise.all([
    readUnlessRefused(['email_not_verified'], () => readTable(visit, selection)),
    visit.call(matching.listViews),
  ]);
  if (!page) return { content: renderVerification(visit), isPending: false };
  const rows = page.data;
  const current = rows.find(({ match }) => match.id === selection.match) ?? rows[0];
  const content = html`${renderViews(visit, selection, views)} ${renderFilters(visit, selection, page)}
  ${await renderPins(visit, selection, rows)}
  ${
    current
      ? renderRows(visit, { rows, current, selection, is_being_written: page.is_being_written })
      : html`<p class="after quiet">${visit.texts.table.nobody}</p>`
  }
  ${isLessDetailed(rows) && html`<p class="quiet small">${visit.texts.table.lessDetail}</p>`}
  ${renderPaging(visit, selection, page.pagination.next_cursor)}
  ${current && html`<p class="quiet small keys">${visit.texts.table.keys}</p>`}
  ${current && renderBar(visit, { rows, current, selection })}`;
  return { content, isPending: page.is_being_written };
}

/** Whether the page describes anybody by less than others. */
function isLessDetailed(rows: readonly TableRow[]): boolean {
  return rows.some(({ priorities }) =>
    priorities?.some(({ state, standing }) => state !== 'not_described' && standing === null),
  );
}

function readTable(visit: Visit, selection: TableSelection): Promise<Table> {
  const { job_id, status, is_waiting, quality, label, is_new, sort, cursor } = selection;
  return visit.call(matching.readTable, {
    job_id,
    // They are many, and one tier among those that a visitor may choose.
    include_developing: false,
    limit: rows_max,
    sort,
    ...(status && { status }),
    ...(is_waiting && { waits_for: 'organisation' as const }),
    ...(quality && { quality }),
    ...(label !== undefined && { label }),
    ...(is_new && { is_new }),
    ...(cursor !== undefined && { cursor }),
  });
}

function renderRows(visit: Visit, shown: ShownRows): Html {
  const { table } = visit.texts;
  const people = html`${shown.is_being_written && html`<p class="quiet" role="status">${table.writingReasons}</p>`}
  ${renderTableOfPeople(visit, shown)}`;
  if (!isAdmin(visit)) return people;
  const compare = html`<button class="button quiet" name="choice" value="compare">
    ${table.compareTicked}
  </button>`;
  return renderDecisionOnAll(visit, people, compare);
}

function renderPaging(
  { texts: { shortlist } }: Visit,
  selection: TableSelection,
  next_cursor: string | null,
) {
  const { cursor } = selection;
  const buildPage = (place: string | undefined) =>
    buildTableAddress({ ...selection, match: undefined, cursor: place });
  if (next_cursor === null && cursor === undefined) return undefined;
  return html`<p class="after buttons">
    ${next_cursor !== null && html`<a class="button quiet" href="${buildPage(next_cursor)}">${shortlist.more}</a>`}
    ${cursor !== undefined && html`<a href="${buildPage(undefined)}">${shortlist.first}</a>`}
  </p>`;
}

type Bar = {
  readonly rows: readonly TableRow[];
  readonly current: TableRow;
  readonly selection: TableSelection;
};

/** Renders who is chosen, the decision about them, and the way to the next one. It stays at the foot of the window, however it is scrolled. */
function renderBar(visit: Visit, { rows, current, selection }: Bar): Html {
  const { table, shortlist, matches } = visit.texts;
  const { match } = current;
  const place = rows.indexOf(current);
  const [previous, next] = [rows[place - 1]?.match.id, rows[place + 1]?.match.id];
  const reasons = buildAddress({
    job_id: selection.job_id,
    status: selection.status ?? 'pending_review',
    quality: undefined,
    cursor: undefined,
    match: match.id,
  });
  const pinned = togglePin(selection, match.id);
  const { isPinned } = pinned;
  const buildTurn = (words: string, key: string, id: string | undefined) =>
    id !== undefined &&
    html`<a href="${buildTableAddress({ ...selection, match: id })}#row" data-key="${key}">${words}</a>`;
  return html`<section class="decision-bar" aria-label="${table.decide}">
    <p>
      <strong>${nameMatch(visit, match)}</strong>
      <span class="quiet"
        >${matches.tiers[match.match_quality]}. ${shortlist.statuses[match.match_status]}</span
      >
    </p>
    <div class="acts">
      ${match.match_status === 'pending_review' && isAdmin(visit) && renderDecision(visit, match.id, next)}
      ${renderTakeBack(visit, match)}
      <p class="turn">
        <a href="${reasons}" data-key="o">${table.open}</a>
        ${pinned.address !== undefined && html`<a href="${pinned.address}#row" data-key="m">${isPinned ? table.unpin : table.pin}</a>`}
        ${buildTurn(shortlist.previous, 'k', previous)} ${buildTurn(shortlist.next, 'j', next)}
      </p>
    </div>
  </section>`;
}

function renderDecision(visit: Visit, match_id: string, next = ''): Html {
  const { shortlist } = visit.texts;
  return renderForm(visit, {
    action: 'decide',
    button: shortlist.interested,
    key: 'i',
    hidden: { match_id, next },
    after: html`<button class="button quiet" name="choice" value="pass" data-key="p">
      ${shortlist.pass}
    </button>`,
  });
}
