import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { nameMatch, readMatchOfJob, renderRemovable, type Match } from '../shortlist/match.ts';
import type { TableRow } from './table-rows.ts';
import { buildCompareAddress, buildTableAddress, compared_max, type TableSelection } from './table-view.ts';

/** Whether a person is pinned, and the address that changes it; undefined if no more can be pinned. */
export function togglePin(selection: TableSelection, match_id: string) {
  const { pins } = selection;
  const isPinned = pins.includes(match_id);
  const changed = isPinned ? pins.filter((id) => id !== match_id) : [...pins, match_id];
  const address =
    changed.length > compared_max && !isPinned
      ? undefined
      : buildTableAddress({ ...selection, match: match_id, pins: changed });
  return { isPinned, address };
}

/** Renders who is pinned, and how to compare them. They stay pinned while the table shows others. */
export async function renderPins(
  visit: Visit,
  selection: TableSelection,
  rows: readonly TableRow[],
): Promise<Html | undefined> {
  const { job_id, pins } = selection;
  const { table } = visit.texts;
  if (pins.length === 0) return undefined;
  const shown = pins.slice(0, compared_max);
  const people = await Promise.all(shown.map((id) => findMatch(visit, { job_id, rows, id })));
  const known = people.filter((match) => match !== undefined);
  const ids = known.map(({ id }) => id);
  return html`<section class="pins" aria-label="${table.pinned}">
    <h2>${table.pinned}</h2>
    <ul class="chips">
      ${known.map((match) =>
        renderRemovable(
          nameMatch(visit, match),
          buildTableAddress({ ...selection, pins: pins.filter((id) => id !== match.id) }),
          table.unpin,
        ),
      )}
    </ul>
    ${
      ids.length > 1 &&
      html`<p>
        <a class="button quiet" href="${buildCompareAddress(job_id, ids)}" data-key="c"
          >${table.comparePinned(visit.format.formatNumber(ids.length))}</a
        >
      </p>`
    }
  </section>`;
}

type Pinned = { readonly job_id: string; readonly rows: readonly TableRow[]; readonly id: string };

/** Finds a pinned person, who need not be among the rows that are shown, or may be gone. */
async function findMatch(visit: Visit, { job_id, rows, id }: Pinned): Promise<Match | undefined> {
  return rows.find(({ match }) => match.id === id)?.match ?? readMatchOfJob(visit, job_id, id);
}
