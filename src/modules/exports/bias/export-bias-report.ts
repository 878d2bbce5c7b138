import { Type } from 'typebox';
import { recordCallerAudit } from '#modules/audit';
import { checkVerifiedAdmin } from '#modules/matching';
import { operation, report, ReportFile } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { checkOrganisation } from '../organisation-access.ts';
import { countReviews } from '#modules/reviews';
import { formatBiasCsv } from './format-bias-csv.ts';
import { buildPeriod, releaseCounts } from './release-counts.ts';
import { completeCounts } from './release-rules.ts';
import { listReleases } from './store.ts';
import { biasReportWire, toBiasReport } from './wire.ts';

const csv = 'text/csv; charset=utf-8';
const pdf = 'application/pdf';

/** The years of the trend. */
const years_max = 5;

export const exportBiasReport = operation({
  name: 'exports.exportBiasReport',
  title: 'Export the bias report of an organisation',
  summary:
    'Compares how groups of people pass from match to placement in a calendar year: selection rates, impact ratios with confidence intervals and exact tests, sample sizes, and human oversight, as JSON, CSV or PDF. Numbers about fewer than ten people are not shown, and the people are counted again at most once a month.',
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
  }),
  output: { 200: report(biasReportWire, csv, pdf) },
  refuses: ['organisation_not_found', 'email_not_verified'],
  run: async (context, { org_id: id, format, year = context.now().getUTCFullYear() }) => {
    const org_id = id.toLowerCase();
    const [org_name] = await Promise.all([
      checkOrganisation(context.database, context.caller, org_id),
      checkVerifiedAdmin(context),
    ]);
    const release = await releaseCounts(context, { org_id, year }, (tx) =>
      recordCallerAudit(context, tx, {
        action: 'exports.bias_report_exported',
        org_id,
        detail: { format, year },
      }),
    );
    const [releases, reviews] = await Promise.all([
      listReleases(context.database, org_id, { until: year, limit: years_max }),
      countReviews(context.database, org_id, { ...buildPeriod(year), now: context.now() }),
    ]);
    const complete = releases.map((each) => ({ ...each, counts: completeCounts(each.counts) }));
    const body = toBiasReport({ org_id, org_name, year, release, releases: complete, reviews });
    const filename = `tessera-bias-report-${year}.${format}`;
    if (format === 'csv') return new ReportFile({ media_type: csv, filename, content: formatBiasCsv(body) });
    if (format === 'json') return body;
    // Loaded with the first PDF: few are requested, and a start need not wait for the packages.
    const { renderBiasReport } = await import('./render-bias-report.ts');
    return new ReportFile({ media_type: pdf, filename, content: await renderBiasReport(body) });
  },
});
