import { formatExternalId } from '#lib/external-id.ts';
import type { ShortlistedMatch } from '#modules/matching/matches';

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
];
