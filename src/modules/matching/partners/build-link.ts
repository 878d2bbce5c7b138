import type { Config } from '#platform/config.ts';
import type { View } from './rules.ts';

/** Builds the link to a result, which is open to users of the organisation alone. */
export function buildLink(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { result }: Extract<View, { readonly state: 'complete' }>,
): string {
  return `${publicUrl}/app/jobs/${result.job_id}?match=${result.match_id}`;
}
