import { cacheResults } from '#lib/cache-results.ts';

/** Formats for one language: dates, numbers, money and counted words, all by `Intl`. Times are in UTC until accounts have a time zone. */
export type Formatter = {
  /** 2 March 2026. */
  readonly formatDate: (time: string) => string;
  /** March 2026 for 2026-03. */
  readonly formatMonth: (month: string) => string;
  /** 2 March 2026 at 09:00 UTC. */
  readonly formatTime: (time: string) => string;
  /** 2 March 2026 at 09:00:07 UTC, to find it in a log. */
  readonly formatExactTime: (time: string) => string;
  /** 62,000. */
  readonly formatNumber: (value: number) => string;
  /** 0.42 becomes 42 %, with a space that does not break. */
  readonly formatPercent: (share: number) => string;
  /** 0.042, and < 0.001 for anything smaller. */
  readonly formatProbability: (probability: number) => string;
  /** A$62,000, without a fraction. */
  readonly formatMoney: (value: number, currency: string) => string;
  /** US$0.1875, with two to six decimals. */
  readonly formatAmount: (value: number, currency: string) => string;
  /** 4.6 MB. */
  readonly formatBytes: (bytes: number) => string;
  /** 90 becomes 2 minutes: in the largest unit of which there is at least one. */
  readonly formatDuration: (seconds: number) => string;
  /** Australia for AU. */
  readonly formatCountry: (code: string) => string;
  /** Lists words with "and" before the last. */
  readonly formatList: (words: readonly string[]) => string;
  /** Lists words with "or" before the last. */
  readonly formatAlternatives: (words: readonly string[]) => string;
};

const least_probability = 0.001;

/** Creates the formats of a language, such as `en-GB`. */
export function createFormatter(locale: string): Formatter {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const exactTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  const number = new Intl.NumberFormat(locale);
  const probability = new Intl.NumberFormat(locale, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  const findMoneyFormat = cacheResults(
    200,
    (currency) => new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 }),
  );
  const findAmountFormat = cacheResults(
    200,
    (currency) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: 2,
        maximumFractionDigits: 6,
      }),
  );
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  const alternatives = new Intl.ListFormat(locale, { type: 'disjunction' });
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    formatDate: (when) => date.format(new Date(when)),
    formatMonth: (name) => month.format(new Date(name)),
    formatTime: (when) => `${time.format(new Date(when))} UTC`,
    formatExactTime: (when) => `${exactTime.format(new Date(when))} UTC`,
    formatNumber: (value) => number.format(value),
    // Texts write percentages with a space, as the standards for quantities do; English conventions of `Intl` would not.
    formatPercent: (share) => `${number.format(Math.round(share * 100))}\u00a0%`,
    formatProbability: (value) =>
      value < least_probability ? `< ${probability.format(least_probability)}` : probability.format(value),
    formatMoney: (value, currency) => findMoneyFormat(currency).format(value),
    formatAmount: (value, currency) => findAmountFormat(currency).format(value),
    formatBytes: (bytes) => formatUnit(locale, bytes, byteUnits, 'short'),
    formatDuration: (seconds) => formatUnit(locale, seconds, timeUnits, seconds < 1 ? 'short' : 'long'),
    formatList: (words) => list.format(words),
    formatAlternatives: (words) => alternatives.format(words),
    formatCountry: (code) => countries.of(code) ?? code,
  };
}

type Units = readonly (readonly [unit: string, size: number])[];

const byteUnits: Units = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
  ['byte', 1],
];
const timeUnits: Units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
  ['millisecond', 0.001],
];

/** Formats an amount in the largest unit of which there is at least one, with at most two digits of a small number. */
function formatUnit(locale: string, amount: number, units: Units, unitDisplay: 'short' | 'long'): string {
  const [unit, size] = units.find(([, each]) => amount >= each) ?? units.at(-1)!;
  const value = amount / size;
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits: value < 10 ? 1 : 0 } as const;
  return new Intl.NumberFormat(locale, options).format(value);
}
