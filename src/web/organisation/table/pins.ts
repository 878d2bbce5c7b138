import * as matching from '#modules/matching/matches';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { nameRow, type TableRow } from './table-rows.ts';
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
  const people = await Promise.all(shown.map((id) => findPerson(visit, rows, id)));
  const known = people.filter((person) => person !== undefined && person.match.job_id === job_id);
  const ids = known.flatMap((person) => (person ? [person.match.id] : []));
  return html`<section class="pins" aria-label="${table.pinned}">
    <h2>${table.pinned}</h2>
    <ul class="chips">
      ${known.map(
        (person) =>
          person &&
          html`<li>
            <a
              href="${buildTableAddress({ ...selection, pins: pins.filter((id) => id !== person.match.id) })}"
              title="${table.unpin}"
              >${nameRow(visit, person)} <span aria-hidden="true">×</span
              ><span class="hidden">: ${table.unpin}</span></a
            >
          </li>`,
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

/** Finds a pinned person, who need not be among the rows that are shown, or may be gone. */
async function findPerson(
  visit: Visit,
  rows: readonly TableRow[],
  match_id: string,
): Promise<Pick<TableRow, 'match'> | undefined> {
  const listed = rows.find(({ match }) => match.id === match_id);
  if (listed) return listed;
  const match = await readUnlessRefused(['match_not_found', 'field_invalid'], () =>
    visit.call(matching.readMatch, { match_id }),
  );
  return match && { match };
}
