import { findUnstorableText } from '#lib/text/unstorable-text.ts';
import { readHtml } from './html-text.ts';

/**
 * Reads a text or a list of texts, without what the database cannot store. A description is HTML, which many publishers escape a second time.
 */
export function readText(value: unknown): string {
  const texts = [value].flat().map((each) => (typeof each === 'string' ? toStorable(each) : ''));
  const { text } = readHtml(texts.filter((each) => each !== '').join('\n'));
  return /<\/?(?:p|div|ul|li|br|strong|span)\b/i.test(text) ? readHtml(text).text : text;
}

function toStorable(text: string): string {
  return text.replaceAll('\0', ' ').toWellFormed();
}

/** Reads a title, which is one line; undefined for none. */
export function readTitle(value: unknown): string | undefined {
  const title = readText(value).replaceAll('\n', ' ');
  return title === '' ? undefined : title;
}

/** The longest reference of a job. */
export const reference_characters_max = 200;

/** Reads what a publisher calls a posting: a text or a number. One that a job cannot have is none. */
export function readReference(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const reference = text.trim();
  const isUsable =
    reference.length <= reference_characters_max && findUnstorableText(reference) === undefined;
  return reference !== '' && isUsable ? reference : undefined;
}

/** A salary a year, in whole units of its currency. */
type YearlySalary = {
  readonly salary_min?: number;
  readonly salary_max?: number;
  readonly salary_currency?: string;
};

/** Reads a salary a year, whose amounts may be missing. */
export function readYearlySalary(
  currency: unknown,
  amounts: { readonly from: unknown; readonly to: unknown },
): YearlySalary {
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return {};
  const [from, to] = [readAmount(amounts.from), readAmount(amounts.to)];
  if ((from ?? to) === undefined || (from ?? 0) > (to ?? Infinity)) return {};
  return {
    ...(from !== undefined && { salary_min: from }),
    ...(to !== undefined && { salary_max: to }),
    salary_currency: currency,
  };
}

/** The highest salary of a job. */
export const salary_max_units = 1_000_000_000;

/** Reads a number in whole units; publishers write it as a text, too. */
export function readAmount(value: unknown): number | undefined {
  const amount = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  const isAmount = typeof amount === 'number' && amount >= 0 && amount <= salary_max_units;
  return isAmount ? Math.round(amount) : undefined;
}

/** Reads a property of an object, or of the first object of a list. */
export function readProperty(value: unknown, name: string): unknown {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Readonly<Record<string, unknown>>)[name];
}
