import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import type { Transaction } from '#platform/database/database.ts';
import { operation, report, ReportFile, type Context } from '#platform/operation.ts';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import { field, uuid } from '#platform/schema.ts';
import { limitRendering } from '#platform/limits/limit-exports.ts';
import { checkOrganisation } from '../organisation-access.ts';
import { listPolicyUses } from '#modules/matching/learning';
import { countReviews, listReviewLog } from '#modules/matching/reviews';
import { buildBiasReport, type BiasSources } from './build-bias-report.ts';
import { countWaiting } from './counting/store-people.ts';
import { formatBiasCsv } from './formats/format-bias-csv.ts';
import { buildPeriod } from './publication-rules.ts';
import { publishIfPossible } from './publish-report.ts';
import { findReport, listReports } from './store.ts';
import { biasReportWire, type BiasReport, type PublishedCounts } from './wire.ts';
import type { renderBiasReport as Render } from './formats/render-bias-report.ts';

const csv = 'text/csv; charset=utf-8';
const pdf = 'application/pdf';

const years_max = 5;

/** The human reviews in the log of a report. */
const log_max = 100;

export const exportBiasReport = operation({
  name: 'exports.exportBiasReport',
  title: 'Export the bias report of an organisation',
  summary:
    'Compares how groups of people pass from match to placement in a calendar year: selection rates, impact ratios with confidence intervals and exact tests, outcomes, precision of measurement, and human oversight, as JSON, CSV or PDF. A report is published once, and counts people who are in no report before it: after the end of the year, or earlier when a hundred people are in no report yet. Until then the reply says what is missing. Numbers about fewer than ten people are not shown.',
  who: ['org_admin', 'auditor', 'platform_admin'],
  input: Type.Object({
    org_id: uuid,
    format: field(Type.Enum(['json', 'csv', 'pdf'], { default: 'json' }), 'The format of the report.', 'csv'),
    year: Type.Optional(
      Type.Integer({
        minimum: 2000,
        maximum: 9999,
        description: 'The year in which the matches were made; the current one if omitted.',
        examples: [2026],
      }),
    ),
    number: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Which of the reports of the year; the last one if omitted.',
        examples: [1],
      }),
    ),
    publish: field(
      Type.Boolean({ default: true }),
      'Whether the next report is published if that is possible. Otherwise only what was published is read.',
      false,
    ),
  }),
  output: { 200: report(biasReportWire, csv, pdf) },
  refuses: ['organisation_not_found', 'email_not_verified', 'too_many_exports'],
  writes_on_read: 'The audit log says who has read the report, and a report that is due is published.',
  run: async (context, { org_id, format, year = context.now().getUTCFullYear(), number, publish }) => {
    const [org_name] = await Promise.all([
      checkOrganisation(context.database, context.caller, org_id),
      checkVerifiedAdmin(context),
    ]);
    const subject = { org_id, org_name, year, number, format, publish };
    // The page of the console reads the JSON with each visit, so only files need a place.
    if (format === 'json') return readReport(context, subject);
    return limitRendering(context, async () =>
      writeFile(context, await readReport(context, subject), format),
    );
  },
});

type Subject = Readonly<Record<'org_id' | 'org_name' | 'format', string>> & {
  readonly year: number;
  readonly number: number | undefined;
  readonly publish: boolean;
};

async function readReport(context: Context, subject: Subject): Promise<BiasReport> {
  const { org_id, org_name, year, number, format, publish } = subject;
  const record = (tx: Transaction) =>
    recordCallerAudit(context, tx, {
      action: 'exports.bias_report_exported',
      org_id,
      detail: { format, year },
    });
  if (publish) await publishIfPossible(context, { org_id, year }, record);
  else await context.transaction(record);
  const sources = await readSources(context, { org_id, year, number });
  return buildBiasReport({ org_id, org_name, year, now: context.now(), ...sources });
}

async function writeFile(context: Context, report: BiasReport, format: 'csv' | 'pdf'): Promise<ReportFile> {
  const filename = `tessera-bias-report-${report.year}.${format}`;
  if (format === 'csv') return new ReportFile({ media_type: csv, filename, content: formatBiasCsv(report) });
  const content = await renderPdf(context, renderBiasReport, report);
  return new ReportFile({ media_type: pdf, filename, content });
}

const renderBiasReport = locateRenderer<typeof Render>(
  new URL('./formats/render-bias-report.ts', import.meta.url),
  'renderBiasReport',
);

type Sources = Omit<BiasSources, 'org_id' | 'org_name' | 'year' | 'now'>;

async function readSources(
  { database, now }: Pick<Context, 'database' | 'now'>,
  { org_id, year, number }: Pick<Subject, 'org_id' | 'year' | 'number'>,
): Promise<Sources> {
  const period = buildPeriod(year);
  const [published, waiting, earlier, reviews, log, policies] = await Promise.all([
    findReport<PublishedCounts>(database, { org_id, year, number }),
    countWaiting(database, { org_id, ...period }),
    listReports<PublishedCounts>(database, org_id, { until: year, limit: years_max }),
    countReviews(database, org_id, { ...period, now: now() }),
    listReviewLog(database, org_id, { ...period, limit: log_max }),
    listPolicyUses(database, period),
  ]);
  return { published, waiting, earlier, reviews, log, policies };
}
