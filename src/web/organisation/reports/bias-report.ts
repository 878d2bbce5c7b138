import * as exports from '#modules/operations/exports';
import type { OperationBody } from '#platform/operation.ts';
import { renderFacts } from '../../parts/facts.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTable as renderPlainTable } from '../../parts/table.ts';
import { renderSwitch } from '../../parts/switch.ts';
import { html, type Content, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import {
  renderDrivers,
  renderMeasurement,
  renderOutcomes,
  renderPolicies,
  renderReviewLog,
} from './bias-details.ts';
import { nameGroup, renderRatios } from './ratio-chart.ts';
import { readNumber } from './report-files.ts';

type Report = Extract<OperationBody<typeof exports.exportBiasReport>, { readonly comparisons: unknown }>;
type Comparison = Report['comparisons'][number];
type Attribute = Comparison['attribute'];
type Group = Comparison['groups'][number];

const years_shown = 4;

/** Renders the bias report of a year: when the next one can be published, the stages, the tables of one attribute, and what they do not say. */
export async function renderBiasReport(visit: Visit): Promise<Html | undefined> {
  const { caller, texts } = visit;
  if (caller.role !== 'org_admin' && caller.role !== 'auditor') return undefined;
  const { reports: words } = texts;
  const year = readYear(visit);
  const report = await visit.call(exports.exportBiasReport, {
    org_id: caller.org_id,
    format: 'json',
    year,
    publish: false,
    ...readNumber(visit),
  });
  if (!('comparisons' in report)) throw new Error('the bias report is a file');
  return html`<section class="report" aria-labelledby="bias">
    <h2 id="bias">${words.bias}</h2>
    <p>${words.biasLead}</p>
    <p>${words.purpose}</p>
    ${renderYears(visit, year)} ${renderNext(visit, report)}
    ${report.number === null ? undefined : renderPublished(visit, report)} ${renderOversight(visit, report)}
    ${renderReviewLog(visit, report)} ${renderPolicies(visit, report)}
    ${report.number !== null && renderSources(visit, report)} ${renderStatements(words.method, report.method)}
    ${renderStatements(words.limits, report.limits)}
  </section>`;
}

/** When the next report can be published; a button if it can be now, because a report does not change afterwards. */
function renderNext(visit: Visit, { year, next_report }: Report): Html {
  const { reports: words } = visit.texts;
  return html`<h3>${words.next}</h3>
    <p>${next_report.words}</p>
    ${
      next_report.is_possible &&
      renderForm(visit, { action: 'publish', button: words.publish, hidden: { year: String(year) } })
    }`;
}

function renderPublished(visit: Visit, report: Report): Html {
  const { texts, format } = visit;
  const { reports: words } = texts;
  const { year, number, counted_on } = report;
  const attribute = readAttribute(visit);
  const address = `/app/reports/bias?year=${year}&number=${number}`;
  return html`<h3>${words.published(String(year), format.formatNumber(number!))}</h3>
    <p class="quiet">
      ${words.countedOn(format.formatDate(counted_on!))}
      ${
        number! > 1 && html`<a href="/app/reports?year=${year}&amp;number=${number! - 1}">${words.before}</a>`
      }
    </p>
    <p class="buttons">
      <a class="button quiet" href="${address}&amp;format=pdf" download>${words.pdf}</a>
      <a class="button quiet" href="${address}&amp;format=csv" download>${words.csv}</a>
    </p>
    ${renderStages(visit, report)} ${renderCoverage(visit, report)}
    ${renderAttributes(visit, attribute, report)} ${renderComparisons(visit, report, attribute)}
    ${renderDrivers(visit, report, attribute)} ${renderOutcomes(visit, report, attribute)}
    ${renderMeasurement(visit, report, attribute)} ${renderTrend(visit, report, attribute)}`;
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
      ${(Object.keys(words.stages) as (keyof Report['totals'])[])
        .filter((stage) => totals[stage] !== null)
        .map(
          (stage) =>
            html`<div>
              <dt>${words.stages[stage]}</dt>
              <dd>
                <strong>${format.formatNumber(totals[stage] ?? 0)}</strong>
              </dd>
            </div>`,
        )}
    </dl>`;
}

function renderAttributes(
  { texts: { reports: words } }: Visit,
  shown: Attribute,
  { year, number }: Report,
): Html {
  return renderSwitch(
    words.attribute,
    (Object.keys(words.attributes) as Attribute[]).map((attribute) => [
      `/app/reports?attribute=${attribute}&year=${year}&number=${number}`,
      words.attributes[attribute],
      attribute === shown,
    ]),
  );
}

function renderComparisons(
  visit: Visit,
  { comparisons, smallest_group }: Report,
  attribute: Attribute,
): Html {
  const tables = comparisons.filter(
    (each) => each.attribute === attribute && each.groups.some(({ people }) => (people ?? 0) > 0),
  );
  if (tables.length === 0)
    return html`<p class="quiet">
      ${visit.texts.reports.nothing(visit.format.formatNumber(smallest_group))}
    </p>`;
  const hidden = tables.filter(({ groups }) =>
    groups.every(({ selected, flag }) => (selected === null || selected === 0) && flag === null),
  );
  const words = visit.texts.reports;
  const shown = tables.filter((table) => !hidden.includes(table));
  return html`${shown.map((table) => renderTable(visit, table))}
  ${shown.length > 0 && renderStatements(words.reading, words.readings)}
  ${
    hidden.length > 0 &&
    html`<h3>${words.hiddenTables}</h3>
      <p class="quiet">${words.hiddenTablesLead}</p>
      <ul>
        ${hidden.map(({ selection }) => html`<li>${words.selections[selection]}</li>`)}
      </ul>`
  }`;
}

function renderTable(visit: Visit, { selection, is_approximate, groups }: Comparison): Html {
  const { reports: words } = visit.texts;
  const title = words.selections[selection];
  const rows = groups.filter(({ people }) => people !== 0 && people !== null);
  return html`<h3 id="${selection}">${title}</h3>
    ${renderFindings(visit, groups)} ${renderRatios(visit, title, groups)}
    ${renderNumbers(visit, selection, rows)}
    ${is_approximate && html`<p class="quiet small">${words.approximate}</p>`}
    ${rows.some((row) => row.may_include_others) && html`<p class="quiet small">${words.includesOthers}</p>`}`;
}

/** What the comparison says, one sentence for each finding. */
function renderFindings(visit: Visit, groups: readonly Group[]): Html {
  const { reports: words } = visit.texts;
  const findings = ['significant', 'ratio_only', 'insufficient', 'none'] as const;
  const sentences = findings.flatMap((finding) => {
    const names = groups.filter(({ flag }) => flag === finding).map(({ group }) => nameGroup(visit, group));
    return names.length === 0 ? [] : [words.summaries[finding](names.join('; '))];
  });
  return html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}`;
}

function renderNumbers(visit: Visit, selection: string, rows: readonly Group[]): Html {
  const { format } = visit;
  const { reports: words } = visit.texts;
  const { columns } = words;
  const showPeople = (people: number | null) =>
    people === null ? words.hidden : format.formatNumber(people);
  const showShare = (share: number | null) => (share === null ? words.none : format.formatPercent(share));
  const listCells = (row: Group): readonly (readonly [string, Content])[] => [
    [columns.people, showPeople(row.people)],
    [columns.selected, showPeople(row.selected)],
    [columns.rate, showShare(row.rate)],
    [columns.ratio, showShare(row.impact_ratio)],
    [
      columns.interval,
      row.ratio_from === null ? words.none : `${showShare(row.ratio_from)} – ${showShare(row.ratio_to)}`,
    ],
    [columns.probability, row.holm_p === null ? words.none : format.formatProbability(row.holm_p)],
    [columns.detectable, showShare(row.detectable_ratio)],
    [columns.finding, describeFinding(words, row)],
  ];
  return html`<table class="table" aria-labelledby="${selection}">
    <thead>
      <tr>
        <th scope="col">${columns.group}</th>
        ${(
          ['people', 'selected', 'rate', 'ratio', 'interval', 'probability', 'detectable', 'finding'] as const
        ).map((column) => html`<th scope="col" class="number">${columns[column]}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${nameGroup(visit, row.group)}${row.may_include_others && ' *'}</th>
            ${listCells(row).map(([name, value]) => html`<td class="number" data-name="${name}">${value}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function describeFinding(
  words: Visit['texts']['reports'],
  { flag, impact_ratio, is_excluded }: Group,
): Content {
  if (is_excluded) return words.excluded;
  if (flag === 'significant') return html`<strong>${words.findings[flag]}</strong>`;
  if (flag !== null) return words.findings[flag];
  return impact_ratio === null ? words.none : words.highest;
}

function renderSources({ texts: { reports: words } }: Visit, { provenance }: Report): Html {
  return html`<h3>${words.sources}</h3>
    ${renderFacts([
      [words.taxonomy, provenance.taxonomy],
      [words.parameters, provenance.parameter_version ?? words.firstParameters],
      [words.policy, String(provenance.policy_version ?? words.none)],
      [words.median, provenance.median_tier ?? words.none],
      [words.hash, html`<code>${provenance.input_hash.slice(0, 16)}</code>`],
    ])}`;
}

function renderCoverage({ texts: { reports: words }, format }: Visit, { coverage }: Report): Html {
  const show = (people: number | null) => (people === null ? words.hidden : format.formatNumber(people));
  return html`<h3>${words.coverage}</h3>
    ${renderPlainTable(
      words.coverage,
      [words.attribute, words.stated, words.notStated],
      coverage.map(({ attribute, stated, not_stated }) => [
        words.attributes[attribute],
        show(stated),
        show(not_stated),
      ]),
    )}`;
}

function renderOversight({ texts: { reports: words }, format }: Visit, { oversight }: Report): Html {
  const show = (count: number | null) => (count === null ? words.uncounted : format.formatNumber(count));
  return html`<h3>${words.oversight}</h3>
    <p>${words.oversightLead} <a href="/app/reviews">${words.toReviews}</a></p>
    ${renderFacts(
      (Object.keys(words.oversightRows) as (keyof typeof words.oversightRows)[]).map(
        (name) => [words.oversightRows[name], show(oversight[name])] as const,
      ),
    )}`;
}

/** The lowest ratios of several years; nothing if there is one year only. */
function renderTrend({ texts: { reports: words }, format }: Visit, { trend }: Report, attribute: Attribute) {
  const rows = trend.filter((each) => each.attribute === attribute);
  if (new Set(rows.map(({ year }) => year)).size < 2) return undefined;
  return html`<h3>${words.trend}</h3>
    <p class="quiet">${words.trendLead}</p>
    ${renderPlainTable(
      words.trend,
      [words.year, words.columns.selected, words.columns.ratio],
      rows.map(({ year, selection, lowest_ratio }) => [
        String(year),
        words.selections[selection],
        format.formatPercent(lowest_ratio),
      ]),
    )}`;
}

function renderStatements(title: string, statements: readonly string[]): Html {
  return html`<h3>${title}</h3>
    <ul>
      ${statements.map((statement) => html`<li>${statement}</li>`)}
    </ul>`;
}
