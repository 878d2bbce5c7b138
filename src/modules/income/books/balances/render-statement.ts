import {
  finishPaper,
  writeHeadline,
  writeOrigin,
  writePageNumbers,
  writeRows,
  writeSentence,
  writeTable,
  type TableColumn,
} from '@tessera/pdf';
import { formatMicros, type Micros } from '#lib/money.ts';
import { formatUtcDate } from '#platform/format-utc-time.ts';
import { drawMark, openPaper } from '#platform/pdf/open-paper.ts';
import type { DaySum, EntryKind } from './rules.ts';

/** What the PDF of a statement says. */
export type Statement = {
  readonly organisation: string;
  readonly publicUrl: string;
  readonly created_at: Date;
  readonly from: string;
  readonly to: string;
  readonly opening: Micros;
  readonly closing: Micros;
  readonly days: readonly DaySum[];
};

const columns: readonly TableColumn[] = [
  { heading: 'Day (UTC)', share: 2 },
  { heading: 'What', share: 3 },
  { heading: 'Number', share: 1.2, isNumber: true },
  { heading: 'Amount in USD', share: 2, isNumber: true },
  { heading: 'Balance in USD', share: 2, isNumber: true },
];

const kindNames: Readonly<Record<EntryKind, string>> = {
  top_up: 'Money received',
  read: 'Reads paid',
  refund: 'Refunds of reads',
  correction: 'Corrections',
};

/** The table is written in parts, because a part that does not fit a page begins on the next one. */
const part_rows = 40;

/** Renders the statement of a balance as a tagged PDF, with one line for each kind and day. @returns its bytes. */
export function renderStatement(statement: Statement): Promise<Buffer> {
  const { organisation, publicUrl, created_at, opening, closing } = statement;
  const [from, to] = [statement.from, statement.to].map((day) => formatUtcDate(new Date(day)));
  const title = `Statement of the prepaid balance, ${from} to ${to}`;
  const paper = openPaper({ title, created_at });
  drawMark(paper);
  writeOrigin(paper, `Tessera at ${new URL(publicUrl).host}`);
  writeHeadline(paper, 'Statement of the prepaid balance');
  writeRows(paper, 'Balance', [
    { label: 'Organisation', value: organisation },
    { label: 'From', value: from! },
    { label: 'To', value: to! },
    { label: 'Balance before', value: `${formatMicros(opening)} USD` },
    { label: 'Balance after', value: `${formatMicros(closing)} USD` },
  ]);
  const rows = listRows(statement);
  if (rows.length === 0) writeSentence(paper, 'Nothing was received or paid in this period.');
  for (let first = 0; first < rows.length; first += part_rows)
    writeTable(
      paper,
      first === 0 ? 'Lines by day' : 'Lines by day, continued',
      columns,
      rows.slice(first, first + part_rows),
    );
  writeSentence(paper, 'The same statement as CSV or JSON has every line with its reference.');
  const created = formatUtcDate(created_at);
  writePageNumbers(paper, (page, pages) => `Created on ${created} · page ${page} of ${pages}`);
  return finishPaper(paper);
}

/** Several lines of a day follow the order of their kinds, so only the balance after the last of them is that of a moment. */
function listRows({ opening, days }: Statement): readonly (readonly string[])[] {
  let balance = opening;
  return days.map(({ day, kind, count, amount }, index) => {
    balance += amount;
    const isLastOfDay = days[index + 1]?.day !== day;
    return [
      formatUtcDate(new Date(day)),
      kindNames[kind],
      String(count),
      formatMicros(amount),
      isLastOfDay ? formatMicros(balance) : '',
    ];
  });
}
