import { formatCsvRow } from '#lib/csv.ts';
import { formatExternalId } from '#lib/external-id.ts';
import type { ShortlistedMatch } from '#modules/matching/matches';
import { columns } from './columns.ts';

type Pages = AsyncIterable<readonly ShortlistedMatch[]>;

/**
 * Writes matches as CSV (RFC 4180) in UTF-8, a page at a time, the header together with the first one. The cells are those of {@link columns}.
 */
export async function* formatMatchesCsv(pages: Pages): AsyncGenerator<string, void> {
  let header = formatCsvRow(columns.map((column) => column.header));
  const formatMatch = createRowFormatter();
  for await (const page of pages) {
    yield header + page.map(formatMatch).join('');
    header = '';
  }
  if (header !== '') yield header;
}

/**
 * Formats a match as a row. The title of the job is the only text that a user wrote: it is formatted as every other CSV of the service, once
 * for all matches of the job. Ids, words of the service and dates contain nothing that CSV or a spreadsheet gives a meaning to.
 */
function createRowFormatter(): (match: ShortlistedMatch) => string {
  let job_id: string | undefined;
  let job_cells = '';
  let computed_at: Date | undefined;
  let computed_on = '';
  return (match) => {
    if (job_id !== match.job_id) {
      job_id = match.job_id;
      job_cells = formatCsvRow([formatExternalId('JOB', job_id), match.job_title]).slice(0, -2);
    }
    // Organisations see the same date, which is one object, for all matches of a job.
    if (computed_at !== match.computed_at) {
      computed_at = match.computed_at;
      computed_on = computed_at.toISOString().slice(0, 10);
    }
    const provisional = match.provisional ? 'yes' : 'no';
    return `${job_cells},${match.id},${match.member_id},${match.match_quality},${match.match_status},${provisional},${computed_on}\r\n`;
  };
}
