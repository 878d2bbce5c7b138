import type { FieldError, Refusal } from '#lib/refusal.ts';
import type { Texts } from '../texts/english.ts';

/**
 * Describes a refusal of a form for its visitor: a sentence about the whole, and a reason for each field. Reasons of the API complete "The
 * field …", so several of one field are joined, and the first letter becomes a capital.
 */
export function describeRefusal(
  { refusals, reasons, plainReasons }: Pick<Texts, 'refusals' | 'reasons' | 'plainReasons'>,
  { code, message, extras }: Refusal,
): { readonly message: string; readonly errors: Readonly<Record<string, string>> } {
  const known = refusals as Readonly<Record<string, string>>;
  const byField = Map.groupBy(extras.errors ?? [], readFieldName);
  const errors = [...byField].map(
    ([name, each]) => [name, describeField({ reasons, plainReasons }, name, each)] as const,
  );
  return { message: known[code] ?? message, errors: Object.fromEntries(errors) };
}

function readFieldName({ pointer }: FieldError): string {
  return pointer.split('/')[1] ?? '';
}

function describeField(
  { reasons, plainReasons }: Readonly<Record<'reasons' | 'plainReasons', Readonly<Record<string, string>>>>,
  name: string,
  errors: readonly FieldError[],
): string {
  const isAboutForm = errors.every(({ reason }) => /expected form|^must be (?:one of|an? )/.test(reason));
  const own = reasons[name];
  if (own !== undefined && isAboutForm) return own;
  const joined = [...new Set(errors.map(({ reason }) => plainReasons[reason] ?? reason))].join(', ');
  return `${joined.charAt(0).toUpperCase()}${joined.slice(1)}.`;
}
