import { formatMatchId, match_id_bytes } from '#lib/match-id.ts';
import type { Secrets } from '#platform/security/secrets.ts';
import type { Match } from './store.ts';

/**
 * Computes the id by which an organisation knows the member of a match before both have agreed: a UUID of version 8 that begins like the id
 * of the job, and continues with 62 bits of an HMAC-SHA256 over the job, the version of its requirements and the member. It is the same
 * whenever it is computed, different for every job and every version, and without the key it can neither be computed nor compared. The
 * service finds the member again by computing the aliases of the job's matches; the job follows from the alias itself (`readJobId`).
 */
export function computeAlias(
  secrets: Pick<Secrets, 'computeHmac'>,
  { job_id, version, member_id }: Pick<Match, 'job_id' | 'version' | 'member_id'>,
): string {
  const digest = secrets.computeHmac('match-alias', `${job_id} ${version} ${member_id}`);
  return formatMatchId(job_id, digest.subarray(0, match_id_bytes));
}
