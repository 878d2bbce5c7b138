import { LRUCache } from 'lru-cache';
import { Type, type Static } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findNewSince, findOrganisationJob, type Job } from '#modules/matching/jobs';
import { pageQuery, paginationWire, readPage } from '#platform/database/paging.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { checkVerifiedAdmin } from '../check-verified-admin.ts';
import { explainMatches } from '../explanations/explain-matches.ts';
import { discloseStandings } from '../explanations/disclose-standings.ts';
import { listExplained, type ExplainedRows } from '../explanations/list-explained.ts';
import { listLabels, listPrivateNotes } from '../private-notes/store.ts';
import { organisationQuery, toMatchFilter } from '../lists/match-page.ts';
import { matchStatuses, type MatchStatus } from '../rules.ts';
import { buildMatchViews } from '../views.ts';
import { toWire } from '../wire.ts';
import { listMetRequirements } from './list-met-requirements.ts';
import { findTurn, listWaitingStatuses, type Turn } from './rules.ts';
import { openOrder, type TableOrder } from './open-order.ts';
import type { SortedPlace } from './sort-people.ts';
import type { TableFilter, TableMatch } from './store.ts';
import { tableFieldsWire, tableRowWire } from './table-reply.ts';
import { tableFilter, tableOrder } from './wire.ts';

export const readTable = operation({
  name: 'matches.readTable',
  title: 'Read the table of a job',
  summary:
    'Lists the people of a job with what tells them apart: what their explanations say about the traits that the job asks for most, the requirements that they meet, what is new, whose turn it is, and the organisation’s own notes and labels. Best tier first, or sorted by words that it shows; among people with the same words and tier, the order is random but stable. It says nothing that the explanations, the requirements and the notes of the matches do not say one by one.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({ job_id: uuid, ...organisationQuery, ...tableFilter, ...tableOrder, ...pageQuery }),
  output: {
    200: closedObject(
      { data: Type.Array(tableRowWire), pagination: paginationWire, ...tableFieldsWire },
      { $id: 'JobTable' },
    ),
  },
  refuses: ['job_not_found', 'email_not_verified', 'cursor_invalid'],
  writes_on_read:
    'Starts the task that writes the explanations which are missing, and records whom the organisation reads about in detail.',
  run: async (context, { limit, cursor, sort, ...query }) => {
    const { database, caller } = context;
    const { job_id } = query;
    const [job, new_since] = await Promise.all([
      findOrganisationJob(database, caller.org_id, job_id),
      findNewSince(database, { job_id, user_id: caller.user_id }),
      checkVerifiedAdmin(context),
    ]);
    if (!job) throw new Refusal('job_not_found');
    await discloseStandings(context, { org_id: caller.org_id, job_id });
    const filter = buildFilter(query, new_since);
    const order = await openOrder(database, filter, sort);
    const [page, labels] = await Promise.all([
      readRows(context, { job, filter, order, limit, cursor }),
      listLabels(database, job_id),
    ]);
    // An order by what is known needs the explanations of all, and not those of the page alone.
    const missing = order.missing ?? page.missing;
    const task_id = await explainMissing(context, job_id, missing);
    return {
      data: page.data,
      pagination: page.pagination,
      new_since: new_since?.toISOString() ?? null,
      labels,
      is_being_written: missing.length > 0,
      task_id,
    };
  },
});

type Query = Parameters<typeof toMatchFilter>[0] & {
  readonly job_id: string;
  readonly status?: MatchStatus | undefined;
  readonly waits_for?: Turn | undefined;
  readonly label?: string | undefined;
  readonly is_new?: boolean | undefined;
};

function buildFilter(query: Query, new_since: Date | undefined): TableFilter {
  const { job_id, status, waits_for, quality, label, is_new = false } = query;
  const waiting = waits_for ? listWaitingStatuses(waits_for) : matchStatuses;
  return {
    job_id,
    statuses: waiting.filter((each) => status === undefined || each === status),
    quality,
    without_developing: toMatchFilter(query).without_developing,
    label,
    is_new,
    new_since,
  };
}

type Asked = {
  readonly job: Job;
  readonly filter: TableFilter;
  readonly order: TableOrder;
  readonly limit: number;
  readonly cursor: string | undefined;
};

/** Reads a page of rows, and which of them still wait for their explanation. */
async function readRows(context: Context, { job, filter, order, limit, cursor }: Asked) {
  let missing: ExplainedRows['missing'] = [];
  const { new_since: _new_since, ...scope } = filter;
  const page = await readPage(
    context,
    { name: 'matches.readTable', filter: { ...scope, sort: order.sort }, limit, cursor },
    {
      list: async (after: SortedPlace | undefined, rows_max) => {
        const placed = await order.list(after, rows_max);
        const shown = placed.slice(0, limit).map(({ match }) => match);
        const { rows, missing: found } = await buildRows(context, job, shown);
        missing = found;
        // The row beyond the page only says that there are more.
        return placed.map(({ place }, index) => ({ place, row: rows[Math.min(index, rows.length - 1)]! }));
      },
      count: order.count,
      getPlace: ({ place }) => place,
      toItem: ({ row }) => row,
    },
  );
  return { ...page, missing };
}

type BuiltRows = {
  readonly rows: readonly Static<typeof tableRowWire>[];
  readonly missing: ExplainedRows['missing'];
};

async function buildRows(context: Context, job: Job, matches: readonly TableMatch[]): Promise<BuiltRows> {
  const { database } = context;
  const ids = matches.map(({ id }) => id);
  const [views, explained, met, notes] = await Promise.all([
    buildMatchViews(context, database, matches, job),
    listExplained(database, job.id, ids),
    listMetRequirements(database, matches),
    listPrivateNotes(database, job.id, ids),
  ]);
  const notesById = new Map(notes.map((each) => [each.match_id, each]));
  const rows = matches.map(({ id, is_new, match_status }, place) => {
    const described = explained.rows.get(id);
    return {
      match: toWire(views[place]!),
      is_new,
      waits_for: findTurn(match_status),
      priorities: described?.priorities.map(({ code, ...rest }) => ({ trait: code, ...rest })) ?? null,
      confidence_statement: described?.confidence_statement ?? null,
      requirements: copyList(met.get(id)),
      note: notesById.get(id)?.note ?? null,
      labels: [...(notesById.get(id)?.labels ?? [])],
    };
  });
  return { rows, missing: explained.missing };
}

function copyList<Item>(list: readonly Item[] | undefined): Item[] | null {
  return list ? [...list] : null;
}

/** Explanations that were begun a short while ago, so that a page that waits for them does not begin them again. */
const getBegun = instanceMemory(() => new LRUCache<string, true>({ max: 20_000, ttl: 60_000 }));

/** Starts a task that writes the explanations which are missing. @returns its id, or null if all are begun. */
async function explainMissing(
  context: Context,
  job_id: string,
  missing: ExplainedRows['missing'],
): Promise<string | null> {
  const begun = getBegun(context);
  const matches = missing.filter(({ match_id }) => !begun.has(match_id));
  if (matches.length === 0) return null;
  const { org_id, user_id } = context.caller as { readonly org_id: string; readonly user_id: string };
  const { task_id } = await context.transaction((tx) =>
    context.queue.start(tx, explainMatches, { matches, job_id, org_id }, user_id),
  );
  for (const { match_id } of matches) begun.set(match_id, true);
  return task_id;
}
