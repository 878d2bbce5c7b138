import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { listReports } from './store.ts';

const reports_max = 200;

export const listProbingReports = operation({
  name: 'jobs.listProbingReports',
  title: 'List attempts to measure traits',
  summary:
    'Lists organisations whose jobs look like an attempt to measure traits of members, the latest first.',
  who: ['platform_admin'],
  output: {
    200: closedObject({
      reports: field(
        Type.Array(
          closedObject({
            org_id: uuid,
            organisation: field(Type.String(), 'The name of the organisation.', 'River Murray Trust'),
            pattern: field(
              Type.Enum(['narrow_jobs', 'repeated_changes', 'most_changes']),
              'Many jobs that ask for one trait each, many changes of one job, or most of the changes that the tier allows.',
              'narrow_jobs',
            ),
            first_reported_at: field(timestamp, 'When it was seen first.', '2026-03-02T09:00:00.000Z'),
            last_reported_at: field(timestamp, 'When it was seen last.', '2026-03-04T14:30:00.000Z'),
            report_count: field(Type.Integer({ minimum: 1 }), 'How often it was reported.', 3),
          }),
        ),
        'The reports.',
      ),
    }),
  },
  run: async ({ database }) => {
    const reports = await listReports(database, reports_max);
    return {
      reports: reports.map((report) => ({
        ...report,
        first_reported_at: report.first_reported_at.toISOString(),
        last_reported_at: report.last_reported_at.toISOString(),
      })),
    };
  },
});
