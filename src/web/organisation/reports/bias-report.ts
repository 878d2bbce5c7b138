import * as exports from '#modules/exports';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

type Report = Extract<OperationBody<typeof exports.exportBiasReport>, { readonly comparisons: unknown }>;
type Comparison = Report['comparisons'][number];
type Attribute = Comparison['attribute'];

const years_shown = 4;

/** Renders the bias report of a year: the stages, the tables of one attribute, and what they do not say. */
export async function renderBiasReport(visit: Visit): Promise<Html | undefined> {
  const { caller, texts, format } = visit;
  if (caller.role !== 'org_admin' && caller.role !== 'auditor') return undefined;
  const { reports: words } = texts;
  const year = readYear(visit);
  const report = await visit.call(exports.exportBiasReport, { org_id: caller.org_id, format: 'json', year });
  if (!('comparisons' in report)) throw new Error('the bias report is a file');
  const attribute = readAttribute(visit);
  return html`<section class="report" aria-labelledby="bias">
    <h2 id="bias">${words.bias}</h2>
    <p>${words.biasLead}</p>
    ${renderYears(visit, year)}
    <p class="buttons">
      <a class="button quiet" href="/app/reports/bias?format=pdf&amp;year=${year}" download>${words.pdf}</a>
      <a class="button quiet" href="/app/reports/bias?format=csv&amp;year=${year}" download>${words.csv}</a>
    </p>
    <p class="quiet small">${words.countedOn(format.formatDate(report.counted_on))}</p>
    ${renderStages(visit, report)} ${renderAttributes(visit, attribute, year)}
    ${renderComparisons(visit, report, attribute)} ${renderStatements(words.method, report.method)}
    ${renderStatements(words.limits, report.limits)}
  </section>`;
}

function readYear({ query, now }: Visit): number {
  const asked = query['year'] ?? '';
  return /^2\d{3}$/.test(asked) ? Number(asked) : now.getUTCFullYear();
}

function readAttribute({ query, texts }: Visit): Attribute {
  const asked = query['attribute'] ?? '';
  return Object.hasOwn(texts.reports.attributes, asked) ? (asked as Attribute) : 'gender';
}

function renderYears({ texts: { reports: words }, now }: Visit, year: number): Html {
  const years = Array.from({ length: years_shown }, (_, index) => now.getUTCFullYear() - index);
  return html`<form class="filters" method="get" action="/app/reports">
    <div class="field">
      <label for="year">${words.year}</label>
      <select id="year" name="year">
        ${years.map((each) => html`<option value="${each}" ${each === year && 'selected'}>${each}</option>`)}
      </select>
    </div>
    <p class="buttons"><button class="button quiet">${words.show}</button></p>
  </form>`;
}

function renderStages({ texts: { reports: words }, format }: Visit, { totals }: Report): Html {
  return html`<h3>${words.people}</h3>
    <dl class="figures">
      ${(Object.keys(words.stages) as (keyof Report['totals'])[]).map(
        (stage) =>
          html`<div>
            <dt>${words.stages[stage]}</dt>
            <dd><strong>${format.formatNumber(totals[stage])}</strong></dd>
          </div>`,
      )}
    </dl>`;
}

function renderAttributes({ texts: { reports: words } }: Visit, shown: Attribute, year: number): Html {
  return html`<nav class="switch" aria-label="${words.attribute}">
    <ul>
      ${(Object.keys(words.attributes) as Attribute[]).map(
        (attribute) =>
          html`<li>
            <a
              href="/app/reports?attribute=${attribute}&amp;year=${year}"
              ${attribute === shown && html`aria-current="page"`}
              >${words.attributes[attribute]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function renderComparisons(visit: Visit, { comparisons, smallest_cell }: Report, attribute: Attribute): Html {
  const tables = comparisons.filter(
    (each) => each.attribute === attribute && each.groups.some(({ people }) => (people ?? 0) > 0),
  );
  if (tables.length === 0)
    return html`<p class="quiet">
      ${visit.texts.reports.nothing(visit.format.formatNumber(smallest_cell))}
    </p>`;
  return html`${tables.map((table) => renderTable(visit, table))}`;
}

function renderTable({ texts: { reports: words }, format }: Visit, { selection, groups }: Comparison): Html {
  const { columns } = words;
  const showPeople = (people: number | null) =>
    people === null ? words.hidden : format.formatNumber(people);
  const showShare = (share: number | null) => (share === null ? words.none : format.formatPercent(share));
  const names: Readonly<Record<string, string>> = words.groups;
  return html`<h3 id="${selection}">${words.selections[selection as keyof typeof words.selections]}</h3>
    <table class="table" aria-labelledby="${selection}">
      <thead>
        <tr>
          <th scope="col">${columns.group}</th>
          <th scope="col" class="number">${columns.people}</th>
          <th scope="col" class="number">${columns.selected}</th>
          <th scope="col" class="number">${columns.rate}</th>
          <th scope="col" class="number">${columns.ratio}</th>
          <th scope="col" class="number">${columns.below}</th>
        </tr>
      </thead>
      <tbody>
        ${groups
          .filter(({ people }) => people !== 0)
          .map(
            ({ group, people, selected, rate, impact_ratio, below_four_fifths }) =>
              html`<tr>
                <th scope="row">${names[group] ?? group}</th>
                <td class="number" data-name="${columns.people}">${showPeople(people)}</td>
                <td class="number" data-name="${columns.selected}">${showPeople(selected)}</td>
                <td class="number" data-name="${columns.rate}">${showShare(rate)}</td>
                <td class="number" data-name="${columns.ratio}">${showShare(impact_ratio)}</td>
                <td class="number" data-name="${columns.below}">
                  ${below_four_fifths === null ? words.none : below_four_fifths ? html`<strong>${words.yes}</strong>` : words.no}
                </td>
              </tr>`,
          )}
      </tbody>
    </table>`;
}

function renderStatements(title: string, statements: readonly string[]): Html {
  return html`<h3>${title}</h3>
    <ul>
      ${statements.map((statement) => html`<li>${statement}</li>`)}
    </ul>`;
}
