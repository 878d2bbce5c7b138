import * as matching from '#modules/matching/matches';
import { tableSorts } from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Action, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import { statuses, tiers } from '../shortlist/selection.ts';
import type { Table } from './table-rows.ts';
import {
  any_status,
  nameStatus,
  waiting_status,
  buildTableAddress,
  listFilterFields,
  readTableSelection,
  type TableSelection,
} from './table-view.ts';

type Option = readonly [value: string, words: string];

/** Renders the filters and the order of a table. They change nothing, so their values are in the address. */
export function renderFilters(
  { texts, format }: Visit,
  selection: TableSelection,
  { labels, new_since }: Pick<Table, 'labels' | 'new_since'>,
): Html {
  const { table, shortlist, matches } = texts;
  const known =
    selection.label === undefined || labels.includes(selection.label) ? labels : [selection.label, ...labels];
  const { quality, label, is_new, sort, pins } = selection;
  return html`<form class="table-filters" method="get" aria-label="${table.filters}">
    ${pins.length > 0 && html`<input type="hidden" name="pins" value="${pins.join(',')}" />`}
    ${renderSelect(table.status, 'status', nameStatus(selection), [
      ...statuses.map((each): Option => [each, shortlist.filters[each]]),
      [waiting_status, table.waiting],
      [any_status, table.anyStatus],
    ])}
    ${renderSelect(table.tier, 'quality', quality ?? '', [['', table.anyTier], ...tiers.map((each): Option => [each, matches.tiers[each]])])}
    ${known.length > 0 && renderSelect(table.label, 'label', label ?? '', [['', table.anyLabel], ...known.map((each): Option => [each, each])])}
    ${renderSelect(
      table.sort,
      'sort',
      sort,
      tableSorts.map((each): Option => [each, table.sorts[each]]),
    )}
    <div class="field check">
      <label for="filter-is_new"
        ><input id="filter-is_new" type="checkbox" name="is_new" value="true" ${is_new && 'checked'} />
        <span>${table.isNew}</span></label
      >
    </div>
    <p class="buttons"><button class="button quiet">${table.show}</button></p>
    <p class="quiet small">
      ${table.sortHint} ${new_since !== null && table.newSince(format.formatDate(new_since))}
    </p>
  </form>`;
}

function renderSelect(label: string, name: string, value: string, options: readonly Option[]): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      ${options.map(([each, words]) => html`<option value="${each}" ${each === value && 'selected'}>${words}</option>`)}
    </select>
  </div>`;
}

type SavedView = OperationBody<typeof matching.listViews>['data'][number];

/** Renders the views that the organisation has saved, and for an administrator the forms that save and delete one. */
export function renderViews(
  visit: Visit,
  selection: TableSelection,
  views: readonly SavedView[],
): Html | undefined {
  const { table } = visit.texts;
  if (views.length === 0 && !isAdmin(visit)) return undefined;
  const links = views.map((view) => {
    const shown = toSelection(selection, view);
    const isCurrent = JSON.stringify(listFilterFields(shown)) === JSON.stringify(listFilterFields(selection));
    return html`<li>
      <a href="${buildTableAddress(shown)}" ${isCurrent && html`aria-current="true"`}>${view.name}</a>
    </li>`;
  });
  return html`<nav class="views" aria-label="${table.views}">
      ${
        views.length > 0 &&
        html`<ul class="chips">
          ${links}
        </ul>`
      }
    </nav>
    ${isAdmin(visit) && renderViewForms(visit, views)}`;
}

function renderViewForms(visit: Visit, views: readonly SavedView[]): Html {
  const { table } = visit.texts;
  const { action } = visit.form;
  return html`<details class="quiet" ${(action === 'saveView' || action === 'deleteView') && 'open'}>
    <summary>${table.saveView}</summary>
    ${renderForm(visit, {
      action: 'saveView',
      button: table.saveView,
      look: 'quiet',
      fields: [{ name: 'name', label: table.viewName, hint: table.viewNameHint, maxlength: 60 }],
    })}
    ${
      views.length > 0 &&
      renderForm(visit, {
        action: 'deleteView',
        button: table.deleteButton,
        look: 'danger',
        fields: [
          {
            name: 'view_id',
            label: `${table.deleteView}: ${table.which}`,
            options: views.map(({ id, name }) => [id, name] as const),
          },
        ],
      })
    }
  </details>`;
}

function toSelection(selection: TableSelection, view: SavedView): TableSelection {
  const { status, waits_for, quality, label, is_new, sort } = view;
  const asked = waits_for === 'member' ? 'org_interested' : status;
  return {
    ...selection,
    status: statuses.find((each) => each === asked),
    is_waiting: waits_for === 'organisation' && status === null,
    quality: quality ?? undefined,
    label: label ?? undefined,
    is_new,
    sort,
    cursor: undefined,
    match: undefined,
  };
}

/** The actions of {@link renderViews}. */
export const viewActions: Readonly<Record<string, Action>> = {
  saveView: async (visit, { name = '' }) => {
    const selection = readTableSelection(visit);
    const { status, is_waiting, quality, label, is_new, sort } = selection;
    const filter = { status, waits_for: is_waiting ? 'organisation' : undefined, quality, label } as const;
    await visit.call(matching.saveView, {
      name: name.trim(),
      ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
      is_new,
      sort,
    });
    return goTo(buildTableAddress(selection), 'viewSaved');
  },
  deleteView: async (visit, { view_id = '' }) => {
    await visit.call(matching.deleteView, { view_id });
    return goTo(buildTableAddress(readTableSelection(visit)), 'viewDeleted');
  },
};
