import { formatCsvRow } from '#lib/csv.ts';
import { microsToNumber } from '#lib/money.ts';
import type { Entry } from './rules.ts';

const header = ['number', 'posted_at', 'kind', 'amount_usd', 'balance_usd', 'detail', 'payment_id'];

/** Formats lines of a statement as CSV, after its header unless they continue one. */
export function formatStatementCsv(
  entries: readonly Entry[],
  { isContinued = false }: { readonly isContinued?: boolean } = {},
): string {
  const rows = entries.map(({ number, posted_at, kind, amount, balance, detail, payment_id }) => [
    number,
    posted_at,
    kind,
    // Numbers, because text with a minus would be taken for a formula.
    microsToNumber(amount),
    microsToNumber(balance),
    detail,
    payment_id,
  ]);
  return (isContinued ? rows : [header, ...rows]).map(formatCsvRow).join('');
}
