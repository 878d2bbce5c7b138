import { cacheResults } from '#lib/cache-results.ts';

/** Formats for one language: dates, numbers, money and counted words, all by `Intl`. Times are in UTC until accounts have a time zone. */
export type Formatter = {
  /** 2 March 2026. */
  readonly formatDate: (time: string) => string;
  /** 2 March 2026 at 09:00 UTC. */
  readonly formatTime: (time: string) => string;
  /** 62,000. */
  readonly formatNumber: (value: number) => string;
  /** 0.42 becomes 42 %. */
  readonly formatPercent: (share: number) => string;
  /** A$62,000, without a fraction. */
  readonly formatMoney: (value: number, currency: string) => string;
  /** Australia for AU. */
  readonly formatCountry: (code: string) => string;
};

/** Creates the formats of a language, such as `en-GB`. */
export function createFormatter(locale: string): Formatter {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const time = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent' });
  const findMoneyFormat = cacheResults(
    200,
    (currency) => new Intl.NumberFormat(locale, { style: 'currency', currency, maximumFractionDigits: 0 }),
  );
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    formatDate: (when) => date.format(new Date(when)),
    formatTime: (when) => `${time.format(new Date(when))} UTC`,
    formatNumber: (value) => number.format(value),
    formatPercent: (share) => percent.format(share),
    formatMoney: (value, currency) => findMoneyFormat(currency).format(value),
    formatCountry: (code) => countries.of(code) ?? code,
  };
}
