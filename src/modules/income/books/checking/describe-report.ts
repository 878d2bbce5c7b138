import type { BooksReport } from './rules.ts';

type Lines = Readonly<Record<string, string>>;

/** The report for `ledger check --json`: amounts are micro-units as text, so that no reader rounds them. */
export function toReportFields({ balances, cash, faults }: BooksReport) {
  const toTexts = (amounts: Readonly<Record<string, bigint>>) =>
    Object.fromEntries(Object.entries(amounts).map(([name, micros]) => [name, String(micros)]));
  return {
    balanced: faults.length === 0,
    balances_micros: toTexts(balances),
    cash_micros: cash && toTexts({ books: cash.books, chain: cash.chain, sent: cash.sent }),
    chain_is_behind: cash?.is_behind ?? false,
    faults,
  };
}

type ReportFields = ReturnType<typeof toReportFields>;

/** One line for each account, for the cash on the chain, and for each fault. */
export function formatReport({ balances_micros, cash_micros, chain_is_behind, faults }: ReportFields): Lines {
  const balances = Object.entries(balances_micros).map(([account, micros]) => [
    account,
    formatMicros(micros),
  ]);
  const cash = cash_micros
    ? [
        [
          'chain',
          chain_is_behind
            ? 'not compared: the newest block of the node is older than the books. The node is behind, or the chain has stopped.'
            : `${formatMicros(cash_micros['chain']!)} (being sent: ${formatMicros(cash_micros['sent']!)})`,
        ],
      ]
    : [['chain', 'not compared']];
  const wrong = faults.map(({ code, id, detail }, index) => [
    `fault ${index + 1}`,
    [code, id, detail].filter((part) => part !== null).join(' '),
  ]);
  return Object.fromEntries([...balances, ...cash, ...wrong]) as Lines;
}

/** Says why the check fails; undefined if it does not. */
export function describeFaults({ faults }: ReportFields): string | undefined {
  return faults.length === 0
    ? undefined
    : `the books are wrong: ${faults.length} faults, see docs/ledger.md#when-the-check-fails`;
}

/** Writes micro-units as dollars with six decimals, by text alone. */
function formatMicros(micros: string): string {
  const [sign, digits] = micros.startsWith('-') ? ['-', micros.slice(1)] : ['', micros];
  const padded = digits.padStart(7, '0');
  return `${sign}${padded.slice(0, -6)}.${padded.slice(-6)} USD`;
}
