import type { Visit } from '../serving/page.ts';
import { html, type Html } from '../serving/html.ts';
import { renderBars } from './chart.ts';
import { renderTable } from './table.ts';

type Months = {
  readonly title: string;
  /** Says which month has the largest amount. */
  readonly summarise: (month: string, amount: string) => string;
  /** What the bars are. */
  readonly name: string;
  /** The headings of the table: the month, each count, and the amount. */
  readonly columns: readonly [string, ...string[]];
  readonly currency: string;
  /** Amounts of money by month, such as `2026-03`, and what is counted. Months without an amount may be left out. */
  readonly months: readonly {
    readonly month: string;
    readonly counts: readonly number[];
    readonly amount: number;
  }[];
};

const months_min = 12;
const months_max = 24;

/** Renders amounts by month: a chart, if there is any amount, and a table that says the same. Nothing is rendered without a month. */
export function renderMonths(visit: Visit, chart: Months): Html | undefined {
  const { title, months, columns, currency } = chart;
  if (months.length === 0) return undefined;
  const { formatAmount, formatMonth, formatNumber } = visit.format;
  const hasAmount = months.some(({ amount }) => amount > 0);
  return html`<section class="group">
    ${hasAmount ? renderMonthChart(visit, chart) : html`<h2>${title}</h2>`}
    ${renderTable(
      title,
      columns,
      months.map(({ month, counts, amount }) => [
        formatMonth(month),
        ...counts.map(formatNumber),
        formatAmount(amount, currency),
      ]),
    )}
  </section>`;
}

/** Renders a bar for each month up to the latest: a year, or more where there is more. A month without an amount is an empty place. */
function renderMonthChart({ format }: Visit, { title, summarise, name, currency, months }: Months): Html {
  const best = months.reduce((one, other) => (other.amount > one.amount ? other : one));
  const byMonth = new Map(months.map(({ month, amount }) => [month, amount]));
  const listed = listMonths([...byMonth.keys()]);
  return renderBars({
    title,
    summary: summarise(format.formatMonth(best.month), format.formatAmount(best.amount, currency)),
    places: listed.length,
    ends: [format.formatMonth(listed[0]!), format.formatMonth(listed.at(-1)!)],
    // In cents, because a place of the chart is at least one high.
    series: [{ look: 'good', name, values: listed.map((month) => 100 * (byMonth.get(month) ?? 0)) }],
  });
}

/** Lists the months up to the latest of some months: from the earliest on, but at least twelve and at most twenty-four. */
export function listMonths(some: readonly string[]): readonly string[] {
  const numbers = some.map(toNumber);
  const latest = Math.max(...numbers);
  const span = latest - Math.min(...numbers) + 1;
  const length = Math.min(months_max, Math.max(months_min, span));
  return Array.from({ length }, (_, place) => toMonth(latest - length + 1 + place));
}

/** The number of a month since the year 0. */
function toNumber(month: string): number {
  const [year, of_year] = month.split('-').map(Number);
  return year! * 12 + of_year! - 1;
}

function toMonth(number: number): string {
  return `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
}
