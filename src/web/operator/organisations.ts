import * as orgs from '#modules/organisations/orgs';
import * as operations from '#modules/operations/operator';
import * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { buildAddress, renderNextPage } from '../parts/next-page.ts';
import { renderSearchForm } from '../parts/search-form.ts';
import { renderSwitch } from '../parts/switch.ts';
import { isId } from './decide-searches.ts';

const at = '/app/operator/organisations';
const rows_max = 20;

/** All organisations, with a search, and those whose jobs look like an attempt to measure traits. */
export const organisationsPage: Page = {
  show: async (visit) => {
    const { operatorOrganisations: words, operator } = visit.texts;
    const { q = '' } = visit.query;
    const tier = orgs.organisationTiers.find((each) => each === visit.query['tier']);
    const isSuspended = visit.query['suspended'] === 'true';
    const text = q.trim();
    const search = text === '' ? {} : isId(text) ? { id: text } : { name: text };
    const [{ data, pagination }, { reports }] = await Promise.all([
      visit.call(operations.searchOrganisations, {
        ...search,
        ...(tier && { tier }),
        ...(isSuspended && { suspended: true }),
        limit: rows_max,
        ...readCursor(visit),
      }),
      visit.call(jobs.listProbingReports),
    ]);
    const { total_count, next_cursor } = pagination;
    const content = html`${renderSearchForm({
        to: at,
        name: 'q',
        label: words.field,
        value: q,
        button: operator.search,
        maxlength: 200,
        hidden: { ...(tier && { tier }), ...(isSuspended && { suspended: 'true' }) },
      })}
      ${renderSwitch(words.filter, [
        [buildAddress(at, { q }), words.all, tier === undefined && !isSuspended],
        ...orgs.organisationTiers.map(
          (each) => [buildAddress(at, { q, tier: each }), each, each === tier] as const,
        ),
        [buildAddress(at, { q, suspended: 'true' }), words.suspended, isSuspended],
      ])}
      <section class="group">
        <p class="quiet" role="status">
          ${total_count === 0 ? words.empty : operator.total(visit.format.formatNumber(total_count), total_count)}
        </p>
        ${data.length > 0 && renderOrganisations(visit, data)}
        ${renderNextPage(at, { q, tier, ...(isSuspended && { suspended: 'true' }) }, { next_cursor, label: operator.more })}
      </section>
      ${reports.length > 0 && renderReports(visit, reports)}`;
    return showHeaded(words, content);
  },
};

type Organisation = OperationBody<typeof operations.searchOrganisations>['data'][number];

function renderOrganisations({ texts, format }: Visit, data: readonly Organisation[]): Html {
  const { operatorOrganisations: words } = texts;
  return html`<ul class="list">
    ${data.map(
      ({ id, name, tier, industry, headquarters_country, suspended_at, created_at }) =>
        html`<li>
          <a href="${at}/${id}"><strong>${name}</strong></a>
          <span>
            ${suspended_at !== null && html`<span class="tag clay">${words.isSuspended}</span>`}
            <span class="tag plain">${tier}</span>
          </span>
          <span class="quiet small"
            >${[
              industry,
              headquarters_country && format.formatCountry(headquarters_country),
              words.since(format.formatDate(created_at)),
            ]
              .filter((each) => each !== null)
              .join(' · ')}</span
          >
        </li>`,
    )}
  </ul>`;
}

type Report = OperationBody<typeof jobs.listProbingReports>['reports'][number];

function renderReports({ texts, format }: Visit, reports: readonly Report[]): Html {
  const { operatorOrganisations: words } = texts;
  return html`<section class="group" id="probing">
    <h2>${words.probing}</h2>
    <p class="quiet">${words.probingLead}</p>
    <ul class="list">
      ${reports.map(
        ({ org_id, organisation, pattern, report_count, last_reported_at }) =>
          html`<li>
            <a href="${at}/${org_id}"><strong>${organisation}</strong></a>
            <span class="small">${words.patterns[pattern]}</span>
            <span class="quiet small"
              >${words.reported(format.formatNumber(report_count), report_count, format.formatDate(last_reported_at))}</span
            >
          </li>`,
      )}
    </ul>
  </section>`;
}
