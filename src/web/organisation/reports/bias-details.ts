import type * as exports from '#modules/operations/exports';
import type { OperationBody } from '#platform/operation.ts';
import { renderTable } from '../../parts/table.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { nameGroup, renderShares } from './ratio-chart.ts';

type Report = Extract<OperationBody<typeof exports.exportBiasReport>, { readonly comparisons: unknown }>;
type Attribute = Report['comparisons'][number]['attribute'];
type Outcome = Report['outcomes'][number];

/** Renders what became of the people of each group, and how they had been rated. */
export function renderOutcomes(visit: Visit, report: Report, attribute: Attribute): Html | undefined {
  const { reports: words } = visit.texts;
  const outcomes = report.outcomes.filter((each) => each.attribute === attribute);
  if (outcomes.length === 0) return undefined;
  const shown = outcomes.filter(({ groups }) => groups.some(({ people }) => people !== null));
  return html`<h3 id="outcomes">${words.outcomes}</h3>
    <p class="quiet">${words.outcomesLead}</p>
    ${shown.length === 0 ? html`<p>${words.noOutcomes}</p>` : shown.map((each) => renderOutcome(visit, each))}`;
}

function renderOutcome(visit: Visit, { outcome, groups, ...gaps }: Outcome): Html {
  const { format } = visit;
  const { reports: words } = visit.texts;
  const name = words.outcomeNames[outcome];
  const rows = groups.filter(({ people }) => people !== null);
  const show = (share: number | null) => (share === null ? words.none : format.formatPercent(share));
  const showProbability = (value: number | null) =>
    value === null ? words.none : format.formatProbability(value);
  return html`<h4>${name}</h4>
    ${
      gaps.true_positive_gap !== null &&
      html`<p>
        ${words.gap(show(gaps.true_positive_gap), show(gaps.false_positive_gap))}
        ${words.gapChance(showProbability(gaps.true_positive_p), showProbability(gaps.false_positive_p))}
      </p>`
    }
    ${renderShares(
      visit,
      words.outcomeChart(name),
      rows.map(({ group, true_positive_rate }) => ({ group, share: true_positive_rate! })),
    )}
    ${renderTable(
      name,
      words.outcomeColumns,
      rows.map((row) => [
        nameGroup(visit, row.group),
        format.formatNumber(row.people!),
        format.formatNumber(row.good!),
        show(row.true_positive_rate),
        show(row.false_positive_rate),
        show(row.good_of_strong),
        show(row.good_of_lower),
      ]),
    )}`;
}

/** Renders the traits behind gaps that are marked; nothing if there are none. */
export function renderDrivers(visit: Visit, { drivers }: Report, attribute: Attribute): Html | undefined {
  const { reports: words, traits } = visit.texts;
  const shown = drivers.filter((each) => each.attribute === attribute);
  if (shown.length === 0) return undefined;
  const names: Readonly<Record<string, string>> = traits.names;
  return html`<h3 id="drivers">${words.drivers}</h3>
    <p class="quiet">${words.driversLead}</p>
    ${shown.map(
      (each) =>
        html`<h4>
            ${words.driver(
              nameGroup(visit, each.group),
              nameGroup(visit, each.reference),
              words.selections[each.selection],
            )}
          </h4>
          ${renderShares(
            visit,
            words.drivers,
            each.traits.map(({ trait, share }) => ({ group: names[trait] ?? trait, share })),
          )}`,
    )}`;
}

/** Renders how precisely and how evenly the groups of an attribute are measured, in the whole service. */
export function renderMeasurement(
  visit: Visit,
  { measurement }: Report,
  attribute: Attribute,
): Html | undefined {
  const { reports: words } = visit.texts;
  const { measured_on } = measurement;
  if (attribute === 'gender_ethnicity') return undefined;
  const precision = measurement.precision.filter((each) => each.attribute === attribute);
  return html`<h3 id="measurement">${words.measurement}</h3>
    <p class="quiet">
      ${words.measurementLead}
      ${measured_on === null ? words.notMeasured : words.measuredOn(visit.format.formatDate(measured_on))}
    </p>
    ${
      precision.length > 0 &&
      renderTable(
        words.measurement,
        words.precisionColumns,
        precision.map(({ group, standard_error, items }) => [
          nameGroup(visit, group),
          standard_error.toFixed(2),
          items.toFixed(1),
        ]),
      )
    }
    ${measured_on !== null && renderItems(visit, measurement, attribute)}`;
}

function renderItems(visit: Visit, { items }: Report['measurement'], attribute: Attribute): Html {
  const { format } = visit;
  const { reports: words } = visit.texts;
  const rows = items.filter((each) => each.attribute === attribute);
  return html`<h4>${words.items}</h4>
    <p class="quiet">${words.itemsLead}</p>
    ${
      rows.length === 0
        ? html`<p>${words.noItems}</p>`
        : renderTable(
            words.items,
            words.itemColumns,
            rows.map(({ group, reference, compared, moderate, large }) => [
              nameGroup(visit, group),
              nameGroup(visit, reference),
              format.formatNumber(compared),
              format.formatNumber(moderate),
              format.formatNumber(large),
            ]),
          )
    }`;
}

/** Renders which versions of the policy ranked jobs in the year. */
export function renderPolicies(visit: Visit, { policy_changes }: Report): Html | undefined {
  const { format } = visit;
  const { reports: words } = visit.texts;
  if (policy_changes.length === 0) return undefined;
  const show = (value: number | null) => (value === null ? words.none : value.toFixed(3));
  return html`<h3 id="policies">${words.policies}</h3>
    <p class="quiet">${words.policiesLead} <a href="/model-card">${words.toModelCard}</a></p>
    ${renderTable(
      words.policies,
      words.policyColumns,
      policy_changes.map((each) => [
        String(each.version),
        words.policyActions[each.action],
        format.formatDate(each.used_on),
        show(each.gain),
        show(each.lower_bound),
        each.groups_compared === null ? words.none : format.formatNumber(each.groups_compared),
        each.regressions.length === 0
          ? words.nobody
          : each.regressions.map((name) => words.attributes[name as Attribute] ?? name).join(', '),
      ]),
    )}`;
}

/** Renders each human review of the year; nothing if there was none. */
export function renderReviewLog(visit: Visit, { oversight: { log } }: Report): Html | undefined {
  const { format } = visit;
  const { reports: words } = visit.texts;
  if (log.length === 0) return undefined;
  return html`<h4>${words.log}</h4>
    ${renderTable(
      words.log,
      words.logColumns,
      log.map(({ requested_on, due_on, status, outcome, closed_on, is_late }) => [
        format.formatDate(requested_on),
        format.formatDate(due_on),
        words.reviewStatuses[outcome ?? status],
        closed_on === null ? words.none : format.formatDate(closed_on),
        is_late ? words.late : words.inTime,
      ]),
    )}`;
}
