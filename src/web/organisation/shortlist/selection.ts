import type { Visit } from '../../serving/page.ts';

/** The tiers, best first. */
export const tiers = ['exceptional', 'strong', 'moderate', 'developing'] as const;

/** The statuses by which a shortlist is filtered. */
export const statuses = [
  'pending_review',
  'org_interested',
  'member_accepted',
  'placed',
  'org_passed',
  'member_declined',
] as const;

/** Which people of a job are shown, and which one is chosen. */
export type Selection = {
  readonly job_id: string;
  readonly status: (typeof statuses)[number];
  readonly quality: (typeof tiers)[number] | undefined;
  readonly cursor: string | undefined;
  readonly match: string | undefined;
};

export function readSelection({ params, query }: Pick<Visit, 'params' | 'query'>): Selection {
  return {
    job_id: params['job_id'] ?? '',
    status: statuses.find((each) => each === query['status']) ?? 'pending_review',
    quality: tiers.find((each) => each === query['quality']),
    cursor: query['cursor'] || undefined,
    match: query['match'] || undefined,
  };
}

/** The address of a shortlist with a selection. What is as usual is left out. */
export function buildAddress({ job_id, status, quality, cursor, match }: Selection): string {
  const query = new URLSearchParams();
  if (status !== 'pending_review') query.set('status', status);
  if (quality !== undefined) query.set('quality', quality);
  if (cursor !== undefined) query.set('cursor', cursor);
  if (match !== undefined) query.set('match', match);
  const text = query.toString();
  return `/app/jobs/${job_id}${text === '' ? '' : `?${text}`}`;
}
