import { formatCsvRow } from '#lib/csv.ts';
import { formatExternalId } from '#lib/external-id.ts';
import type { ShortlistedMatch } from '#modules/matching/matches';

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
 * Formats a match as a row. The title of the job, the note and the labels are the only texts that users wrote: they are formatted as every other CSV
 * of the service, the title once for all matches of the job. Ids, words of the service and dates contain nothing that CSV or a spreadsheet gives a meaning to.
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
    return `${job_cells},${match.id},${match.member_id},${match.match_quality},${match.match_status},${provisional},${computed_on},${formatNote(match)}\r\n`;
  };
}

/** Formats the cells of the note and the labels, which most matches do not have. */
function formatNote({ note, labels }: ShortlistedMatch): string {
  if (note === null && labels.length === 0) return ',';
  return formatCsvRow([note ?? '', labels.join(', ')]).slice(0, -2);
}

/** One column of the file of an organisation's matches: the words at its top, its width in characters, and its cell in a row. */
type Column = {
  readonly header: string;
  readonly width: number;
  readonly is_date?: true;
  /** Whether a user wrote the text. */
  readonly is_free_text?: true;
  readonly read: (match: ShortlistedMatch) => string | Date;
};

/** The columns of the file. Tiers are labels, and the only times are dates that all matches of a job share. */
export const columns: readonly Column[] = [
  { header: 'Job', width: 14, read: ({ job_id }) => formatExternalId('JOB', job_id) },
  { header: 'Job title', width: 34, is_free_text: true, read: ({ job_title }) => job_title },
  { header: 'Match ID', width: 38, read: ({ id }) => id },
  { header: 'Member ID', width: 38, read: ({ member_id }) => member_id },
  { header: 'Tier', width: 13, read: ({ match_quality }) => match_quality },
  { header: 'Status', width: 17, read: ({ match_status }) => match_status },
  { header: 'Provisional', width: 12, read: ({ provisional }) => (provisional ? 'yes' : 'no') },
  { header: 'Computed on', width: 13, is_date: true, read: ({ computed_at }) => computed_at },
  { header: 'Your note', width: 40, is_free_text: true, read: ({ note }) => note ?? '' },
  { header: 'Your labels', width: 30, is_free_text: true, read: ({ labels }) => labels.join(', ') },
];
