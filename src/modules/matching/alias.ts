import { LRUCache } from 'lru-cache';
import { formatMatchId, match_id_bytes } from '#lib/match-id.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { Match } from './store.ts';

/**
 * Computes the id by which an organisation knows the member of a match before both have agreed: a UUID of version 8 that begins like the id
 * of the job, and continues with 62 bits of an HMAC-SHA256 over the job, the version of its requirements and the member. It is the same
 * whenever it is computed, different for every job and every version, and without the key it can neither be computed nor compared. The
 * service finds the member again by computing the aliases of the job's matches; the job follows from the alias itself (`readJobId`).
 */
export function computeAlias(
  services: Pick<Services, 'memory' | 'secrets'>,
  { job_id, version, member_id }: Pick<Match, 'job_id' | 'version' | 'member_id'>,
): string {
  const aliases = getKnownAliases(services);
  const text = `${job_id} ${version} ${member_id}`;
  const known = aliases.get(text);
  if (known !== undefined) return known;
  const digest = services.secrets.computeHmac('match-alias', text);
  const alias = formatMatchId(job_id, digest.subarray(0, match_id_bytes));
  aliases.set(text, alias);
  return alias;
}

/** The aliases of the lists that were read last. Without it, aliases take a third of the processor time of a list of a hundred matches. */
const getKnownAliases = instanceMemory(() => new LRUCache<string, string>({ max: 20_000 }));
