import { tableSorts } from '#modules/matching/matches';
import type { Visit } from '../../serving/page.ts';
import { statuses, tiers } from '../shortlist/selection.ts';

/** The largest number of people beside each other. */
export const compared_max = 6;

/** Which people of a job a table shows, in which order, who is chosen and who is pinned. All of it is in the address. */
export type TableSelection = {
  readonly job_id: string;
  readonly status: (typeof statuses)[number] | undefined;
  /** Whether those are shown who wait for the organisation: for a decision, or for a word after they have accepted. */
  readonly is_waiting: boolean;
  readonly quality: (typeof tiers)[number] | undefined;
  readonly label: string | undefined;
  readonly is_new: boolean;
  readonly sort: (typeof tableSorts)[number];
  readonly cursor: string | undefined;
  readonly match: string | undefined;
  readonly pins: readonly string[];
};

/** As long as nothing else is asked, those are shown who wait for a decision. */
const usual_status = 'pending_review';

/** What the address says instead of a status for all of them, and for those who wait for the organisation. */
export const any_status = 'all';
export const waiting_status = 'waiting';

export function readTableSelection({ params, query }: Pick<Visit, 'params' | 'query'>): TableSelection {
  const { status } = query;
  const usual = status === any_status || status === waiting_status ? undefined : usual_status;
  return {
    job_id: params['job_id'] ?? '',
    status: statuses.find((each) => each === status) ?? usual,
    is_waiting: status === waiting_status,
    quality: tiers.find((each) => each === query['quality']),
    label: query['label'] || undefined,
    is_new: query['is_new'] === 'true',
    sort: tableSorts.find((each) => each === query['sort']) ?? 'fit',
    cursor: query['cursor'] || undefined,
    match: query['match'] || undefined,
    pins: readIds(query['pins']),
  };
}

/** Reads ids that are separated by commas. Repeated ones count once. */
export function readIds(text = ''): readonly string[] {
  return [...new Set(text.split(',').filter((id) => id !== ''))];
}

/** The status of a selection as its address has it. */
export function nameStatus({ status, is_waiting }: Pick<TableSelection, 'status' | 'is_waiting'>): string {
  return is_waiting ? waiting_status : (status ?? any_status);
}

/** The filters and the order of a selection, as its address has them. What is as usual is left out. */
export function listFilterFields(selection: TableSelection): Readonly<Record<string, string>> {
  const { quality, label, is_new, sort } = selection;
  const status = nameStatus(selection);
  return {
    ...(status !== usual_status && { status }),
    ...(quality && { quality }),
    ...(label !== undefined && { label }),
    ...(is_new && { is_new: 'true' }),
    ...(sort !== 'fit' && { sort }),
  };
}

/** The address of a table with a selection. */
export function buildTableAddress(selection: TableSelection): string {
  const { job_id, cursor, match, pins } = selection;
  const fields = {
    ...listFilterFields(selection),
    ...(pins.length > 0 && { pins: pins.join(',') }),
    ...(cursor !== undefined && { cursor }),
    ...(match !== undefined && { match }),
  };
  const query = new URLSearchParams(fields).toString().replaceAll('%2C', ',');
  return `/app/jobs/${job_id}/table${query === '' ? '' : `?${query}`}`;
}

/** The address that compares people. */
export function buildCompareAddress(job_id: string, match_ids: readonly string[]): string {
  return `/app/jobs/${job_id}/compare?people=${match_ids.join(',')}`;
}
