import type * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { nameStanding } from '../../parts/explained-person.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { renderTick } from '../shortlist/decisions.ts';
import { nameMatch } from '../shortlist/match.ts';
import { buildTableAddress, type TableSelection } from './table-view.ts';

/** The table of a job, as the organisation reads it. */
export type Table = OperationBody<typeof matching.readTable>;
export type TableRow = Table['data'][number];

/** The rows to show, in their order, and the one that the keys decide on. */
export type ShownRows = {
  readonly rows: readonly TableRow[];
  readonly current: TableRow | undefined;
  readonly selection: TableSelection;
  /** Whether reasons that are missing are being written. */
  readonly is_being_written: boolean;
};

/** Renders people as a table. On a narrow screen each row is a block, with the name of each column before its value. */
export function renderTableOfPeople(visit: Visit, shown: ShownRows): Html {
  const { rows, current, selection } = shown;
  const { table } = visit.texts;
  const columns = listColumns(visit, shown);
  const canTick = isAdmin(visit);
  const start = buildTableAddress({ ...selection, match: '' });
  return html`<table class="people-table ${canTick && 'ticked'}">
    <caption class="hidden">
      ${table.caption}
    </caption>
    <thead>
      <tr>
        ${canTick && html`<td></td>`}
        <th scope="col">${table.person}</th>
        ${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => {
        const name = nameMatch(visit, row.match);
        const isCurrent = row === current;
        return html`<tr ${isCurrent && html`class="current" id="row"`}>
          ${canTick && html`<td>${renderTick(visit, row.match, name)}</td>`}
          <th scope="row">
            <a href="${start}${row.match.id}#row" ${isCurrent && html`aria-current="true"`}>${name}</a>
            ${row.is_new && html`<span class="tag">${table.newTag}</span>`}
          </th>
          ${columns.map((column) => html`<td data-name="${column.name}">${column.renderCell(row)}</td>`)}
        </tr>`;
      })}
    </tbody>
  </table>`;
}

type Column = { readonly name: string; readonly renderCell: (row: TableRow) => Html | string | undefined };

/** The columns: the fit, what the job asks most, its requirements, and what differs between these people or is noted about them. */
function listColumns(visit: Visit, shown: ShownRows): readonly Column[] {
  const { rows } = shown;
  const { texts } = visit;
  const { table } = texts;
  const isMixed = new Set(rows.map(({ match }) => match.match_status)).size > 1;
  const isNoted = rows.some(({ note, labels }) => note !== null || labels.length > 0);
  const columns: (Column | false)[] = [
    { name: table.tier, renderCell: ({ match }) => texts.matches.tiers[match.match_quality] },
    ...listTraitColumns(visit, shown),
    ...listRequirementColumns(visit, rows),
    isMixed && {
      name: table.state,
      renderCell: ({ match }) => nameState(visit, match.match_status),
    },
    isMixed && {
      name: table.waits,
      renderCell: ({ waits_for }) => (waits_for ? table.turns[waits_for] : undefined),
    },
    isNoted && {
      name: table.labels,
      renderCell: ({ note, labels }) =>
        html`${labels.map((label) => html`<span class="tag">${label}</span> `)}
        ${note !== null && renderWord(table.noteMark, note)}`,
    },
  ];
  return columns.filter((column) => column !== false);
}

/** A status in few words: as the filter has it, or in a sentence. */
function nameState({ texts: { shortlist } }: Visit, status: TableRow['match']['match_status']): string {
  const words: Partial<Record<typeof status, string>> = shortlist.filters;
  return words[status] ?? shortlist.statuses[status];
}

/** The traits that the job asks for most, in the words of the explanations. People of an earlier version of the job may be asked for others. */
function listTraitColumns({ texts }: Visit, { rows, is_being_written }: ShownRows): readonly Column[] {
  const { table, traits } = texts;
  const asked = new Set(rows.flatMap(({ priorities }) => (priorities ?? []).map(({ trait }) => trait)));
  return [...asked].map((code) => ({
    name: traits.names[code],
    renderCell: ({ priorities }) => {
      if (priorities === null)
        return html`<span class="quiet">${is_being_written ? table.writing : table.unknown}</span>`;
      const described = priorities.find(({ trait }) => trait === code);
      return described && renderWord(nameCell(texts, described), described.reason, described.state);
    },
  }));
}

type DescribedPriority = NonNullable<TableRow['priorities']>[number];

/** Names how far a trait is known, and on which side; without details, only whether it stands out. */
function nameCell(texts: Visit['texts'], { standing, side, state }: DescribedPriority): string {
  return standing === null ? texts.table.states[state] : nameStanding(texts, { standing, side });
}

function listRequirementColumns({ texts: { table } }: Visit, rows: readonly TableRow[]): readonly Column[] {
  const asked = new Set(
    rows.flatMap(({ requirements }) => (requirements ?? []).map(({ requirement }) => requirement)),
  );
  return [...asked].map((name) => ({
    name: table.requirements[name],
    renderCell: ({ requirements }) => {
      const found = requirements?.find(({ requirement }) => requirement === name);
      return (
        found && renderWord(found.met ? table.met : table.notMet, found.asked, found.met ? 'met' : 'not-met')
      );
    },
  }));
}

/** Renders a word with its reason, which is shown when the word has the focus or the pointer. A screen reader reads both. */
function renderWord(word: string, reason: string, look = ''): Html {
  return html`<span class="reasoned ${look}" tabindex="0"
    >${word}<span class="reason"> ${reason}</span></span
  >`;
}
