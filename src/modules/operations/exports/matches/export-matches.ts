import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import {
  checkVerifiedAdmin,
  organisationQuery,
  readAllMatches,
  toMatchFilter,
} from '#modules/matching/matches';
import { operation, stream } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { limitExports, requireExportPlace } from '#platform/limits/limit-exports.ts';
import { checkOrganisation } from '../organisation-access.ts';
import { formatMatchesCsv } from './format-matches.ts';
import { writeMatchesWorkbook } from './write-workbook.ts';

const media_types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export const exportMatches = operation({
  name: 'exports.exportMatches',
  title: 'Export the matches of an organisation',
  summary:
    'Downloads the matches of an organisation as CSV or as a workbook, with the same labels, aliases and dates as the lists, and for administrators and viewers with the organisation’s own notes and labels. Rows are sent while they are read; a transfer that ends early is an error of the connection, never a shorter file.',
  who: [...orgRoles, 'platform_admin'],
  input: Type.Object({
    org_id: uuid,
    format: field(
      Type.Enum(['csv', 'xlsx'], { default: 'csv' }),
      'The format of the file: CSV, or a workbook for Excel and LibreOffice.',
      'xlsx',
    ),
    job_id: Type.Optional(uuid),
    ...organisationQuery,
  }),
  output: { 200: stream(media_types.csv, media_types.xlsx) },
  refuses: ['organisation_not_found', 'email_not_verified', 'too_many_exports'],
  samples: {
    reply:
      'Job,Job title,Match ID,Member ID,Tier,Status,Provisional,Computed on,Your note,Your labels\r\nJOB-7K3M9QXZ,Archivist,0b5a6d4e-8f21-8c3a-9d70-1f2e3d4c5b6a,0b5a6d4e-8f21-8aa0-b1c2-d3e4f5061728,strong,pending_review,no,2026-03-02,Has led two audits.,second round\r\n',
  },
  writes_on_read: 'The audit log says who has exported the matches.',
  run: async (context, { format, ...query }) => {
    const { caller, database, now, readSnapshot, transaction } = context;
    await Promise.all([checkOrganisation(database, caller, query.org_id), checkVerifiedAdmin(context)]);
    requireExportPlace(context);
    await transaction((tx) =>
      recordCallerAudit(context, tx, {
        action: 'exports.matches_exported',
        org_id: query.org_id,
        detail: { format },
      }),
    );
    const filter = toMatchFilter(query);
    const readPages = () => readSnapshot((db) => readAllMatches(context, db, filter));
    return {
      media_type: media_types[format],
      filename: `tessera-matches-${now().toISOString().slice(0, 10)}.${format}`,
      chunks: limitExports<string | Uint8Array>(context, () =>
        format === 'csv' ? formatMatchesCsv(readPages()) : writeMatchesWorkbook(readPages()),
      ),
    };
  },
});
