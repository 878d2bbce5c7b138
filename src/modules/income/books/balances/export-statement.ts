import { Type } from 'typebox';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { orgRoles } from '#lib/caller.ts';
import { selectMediaType } from '#lib/media-type.ts';
import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import { limitRendering } from '#platform/limits/limit-exports.ts';
import { operation, report, ReportFile, type Context } from '#platform/operation.ts';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import { field } from '#platform/schema.ts';
import { formatStatementCsv } from './format-statement-csv.ts';
import type { renderStatement as Render } from './render-statement.ts';
import { buildPeriod, type Entry, type Period } from './rules.ts';
import { countEntries, listEntries, readBalanceBefore, sumDays } from './store.ts';
import { statementWire, toStatementWire, type Ends } from './wire.ts';

const csv = 'text/csv; charset=utf-8';
const pdf = 'application/pdf';

const formats = ['json', 'csv', 'pdf'] as const;

type Format = (typeof formats)[number];

/** What a client may ask for in `Accept`, the first if it does not. */
const formatTypes = {
  'application/json': 'json',
  'text/csv': 'csv',
  [pdf]: 'pdf',
} as const satisfies Readonly<Record<string, Format>>;

/** An organisation of the highest tier may make 10,000 reads a day, and each may be given back: a day always fits. */
const file_entries_max = 25_000;
const page_entries = 1_000;

const buildDay = (description: string, sample: string) =>
  Type.Optional(field(Type.String({ format: 'date', maxLength: 10 }), description, sample));

export const exportStatement = operation({
  name: 'books.exportStatement',
  title: 'Read or download the statement of the balance',
  summary:
    'Returns every line of the prepaid balance in a period, with the balance after it: as JSON in pages, as CSV, or as a PDF with the sums of each day.',
  who: orgRoles,
  input: Type.Object({
    format: Type.Optional(
      field(Type.Enum(formats), 'The format; the one of the Accept header if omitted, or else JSON.', 'csv'),
    ),
    from: buildDay('The first day (UTC); the first of the month of the last day if omitted.', '2026-03-01'),
    to: buildDay('The last day (UTC); today if omitted.', '2026-03-31'),
    after: field(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
      'Returns the lines after this number, for JSON: `next_after` of the reply before.',
      0,
    ),
    limit: field(
      Type.Integer({ minimum: 1, maximum: page_entries, default: 100 }),
      'How many lines to return, for JSON.',
      100,
    ),
  }),
  output: { 200: report(statementWire, csv, pdf) },
  refuses: ['organisation_not_found', 'too_many_exports'],
  checks: [(query, { now }) => void readPeriod(query, now())],
  run: (context, { format = selectFormat(context), after, limit, ...query }) => {
    const period = readPeriod(query, context.now());
    if (format === 'json') return readPage(context, period, { after, limit });
    return limitRendering(context, () => writeFile(context, period, format));
  },
});

type StatementContext = Context<(typeof orgRoles)[number]>;

function selectFormat({ request }: StatementContext): Format {
  return formatTypes[selectMediaType(request.accept, ['application/json', 'text/csv', pdf])];
}

function readPeriod(query: { readonly from?: string; readonly to?: string }, now: Date): Period {
  const period = buildPeriod(query, now);
  if ('fault' in period) throw createFieldRefusal('field_invalid', '/from', period.fault);
  return period;
}

async function readPage(
  { database, caller: { org_id } }: StatementContext,
  period: Period,
  { after, limit }: { readonly after: number; readonly limit: number },
) {
  const [ends, found] = await Promise.all([
    readEnds(database, org_id, period),
    listEntries(database, { org_id, ...period }, after, limit + 1),
  ]);
  const entries = found.slice(0, limit);
  const next_after = found.length > limit ? entries.at(-1)!.number : null;
  return toStatementWire(period, ends, { entries, next_after });
}

async function readEnds(db: Reader, org_id: string, { start, end }: Period): Promise<Ends> {
  const [opening, closing] = await Promise.all([
    readBalanceBefore(db, org_id, start),
    readBalanceBefore(db, org_id, end),
  ]);
  return { opening, closing };
}

async function writeFile(
  context: StatementContext,
  period: Period,
  format: 'csv' | 'pdf',
): Promise<ReportFile> {
  const filename = `tessera-balance-${period.from}-${period.to}.${format}`;
  if (format === 'csv')
    return new ReportFile({ media_type: csv, filename, content: await writeCsv(context, period) });
  return new ReportFile({ media_type: pdf, filename, content: await writePdf(context, period) });
}

async function writeCsv({ database, caller: { org_id } }: StatementContext, period: Period): Promise<string> {
  const wanted = { org_id, ...period };
  if ((await countEntries(database, wanted)) > file_entries_max)
    throw createFieldRefusal(
      'field_invalid',
      '/from',
      `must be a later day: a file has at most ${file_entries_max} lines`,
    );
  const parts = [formatStatementCsv([])];
  let after = 0;
  for (let page = 0; page < file_entries_max / page_entries; page++) {
    const entries: readonly Entry[] = await listEntries(database, wanted, after, page_entries);
    if (entries.length === 0) break;
    parts.push(formatStatementCsv(entries, { isContinued: true }));
    after = entries.at(-1)!.number;
  }
  return parts.join('');
}

const renderStatement = locateRenderer<typeof Render>(
  new URL('./render-statement.ts', import.meta.url),
  'renderStatement',
);

async function writePdf(context: StatementContext, period: Period): Promise<Buffer> {
  const { database, caller, config, now } = context;
  const { org_id } = caller;
  const [organisation, ends, days] = await Promise.all([
    findOrganisation(database, org_id),
    readEnds(database, org_id, period),
    sumDays(database, { org_id, ...period }),
  ]);
  if (!organisation) throw new Refusal('organisation_not_found');
  const { from, to } = period;
  return renderPdf(context, renderStatement, {
    organisation: organisation.name,
    publicUrl: config.publicUrl,
    created_at: now(),
    from,
    to,
    ...ends,
    days,
  });
}
