import * as operations from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';
import { buildAddress, renderNextPage } from '../parts/next-page.ts';
import { renderSearchForm } from '../parts/search-form.ts';
import { renderSwitch } from '../parts/switch.ts';
import { decideSearches, type UserQuery } from './decide-searches.ts';
import { renderAccounts } from './render-accounts.ts';

const at = '/app/operator/users';
const rows_max = 20;

/** All accounts, with a search. A text that may be a name as well as an address is searched as both. */
export const usersPage: Page = {
  show: async (visit) => {
    const { operatorUsers, operator } = visit.texts;
    const { q = '', suspended, cursor, by, org } = visit.query;
    const isFiltered = suspended === 'true';
    const searches = decideSearches(q, !isFiltered && org === undefined).filter(
      (search) => by === undefined || by in search || Object.keys(search).length === 0,
    );
    const filter = {
      ...(isFiltered && { suspended: true }),
      ...(org !== undefined && { org_id: org }),
    };
    const results = await Promise.all(
      searches.map(async (search) => ({
        search,
        page: await visit.call(operations.searchUsers, {
          ...search,
          ...filter,
          limit: rows_max,
          ...(cursor !== undefined && searches.length === 1 && { cursor }),
        }),
      })),
    );
    const content = html`${renderSearchForm({
      to: at,
      name: 'q',
      label: operatorUsers.field,
      value: q,
      button: operator.search,
      maxlength: 254,
      hidden: { ...(isFiltered && { suspended: 'true' }), ...(org !== undefined && { org }) },
    })}
    ${renderSwitch(operatorUsers.filter, [
      [buildAddress(at, { q, org }), operatorUsers.filters.all, !isFiltered],
      [buildAddress(at, { q, org, suspended: 'true' }), operatorUsers.filters.suspended, isFiltered],
    ])}
    ${results.map((result, place) => renderResult(visit, result, results.slice(0, place), results.length > 1))}`;
    return showHeaded(operatorUsers, content);
  },
};

type Result = {
  readonly search: UserQuery;
  readonly page: OperationBody<typeof operations.searchUsers>;
};

/** Renders a result without the accounts that a result above it has. A further result that has nothing else is left out. */
function renderResult(
  visit: Visit,
  { search, page }: Result,
  above: readonly Result[],
  is_one_of_several: boolean,
): Html | undefined {
  const { operatorUsers, operator } = visit.texts;
  const { pagination } = page;
  const shown = new Set(above.flatMap((each) => each.page.data.map(({ id }) => id)));
  const data = page.data.filter(({ id }) => !shown.has(id));
  if (above.length > 0 && data.length === 0 && !pagination.has_more) return undefined;
  const { q, suspended, org, by } = visit.query;
  const isByName = search.name !== undefined;
  const heading: Content = is_one_of_several && (isByName ? operatorUsers.byName : operatorUsers.byEmail);
  const kept = is_one_of_several ? (isByName ? 'name' : 'email') : by;
  const { total_count } = pagination;
  return html`<section class="group">
    ${heading && html`<h2>${heading}</h2>`}
    <p class="quiet" role="status">
      ${total_count === 0 ? operatorUsers.empty : operator.total(visit.format.formatNumber(total_count), total_count)}
    </p>
    ${data.length > 0 && renderAccounts(visit, data)}
    ${renderNextPage(
      at,
      { q, suspended, org, by: kept },
      { next_cursor: pagination.next_cursor, label: operator.more },
    )}
  </section>`;
}
