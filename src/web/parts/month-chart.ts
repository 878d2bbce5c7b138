import type { Visit } from '../serving/page.ts';
import type { Html } from '../serving/html.ts';
import { renderBars } from './chart.ts';

type MonthChart = {
  readonly title: string;
  readonly summary: string;
  /** What the bars are. */
  readonly name: string;
  /** Amounts of money by month, such as `2026-03`. Months without an amount may be left out. */
  readonly amounts: readonly { readonly month: string; readonly amount: number }[];
};

const months_min = 12;
const months_max = 24;

/** Renders amounts by month, up to the latest month: a year, or more where there is more. A month without an amount is an empty place. */
export function renderMonthChart({ format }: Visit, { amounts, ...chart }: MonthChart): Html {
  const byMonth = new Map(amounts.map(({ month, amount }) => [month, amount]));
  const months = listMonths([...byMonth.keys()]);
  return renderBars({
    title: chart.title,
    summary: chart.summary,
    places: months.length,
    ends: [format.formatMonth(months[0]!), format.formatMonth(months.at(-1)!)],
    // In cents, because a place of the chart is at least one high.
    series: [
      { look: 'good', name: chart.name, values: months.map((month) => 100 * (byMonth.get(month) ?? 0)) },
    ],
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
