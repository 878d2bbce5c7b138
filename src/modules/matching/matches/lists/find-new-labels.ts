import { LRUCache } from 'lru-cache';
import type { LoggedInCaller } from '#lib/caller.ts';
import { hasOutdatedMatches, listJobsWithOutdatedMatches } from '#modules/matching/jobs';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';
import { computeFitWeights, measureMatch } from '#modules/matching/engine';
import type { Match } from '../store.ts';
import { listOpenMemberMatches, type NewLabels } from '../store-member-matches.ts';
import { applyPolicy } from '../policies/rules.ts';
import { findLivePolicy } from '../policies/store.ts';
import { loadTraitNorms } from '#modules/measurement/traits';
import { findListedVersion, listMemberVectors } from '../index/store-vectors.ts';

/**
 * Finds the labels of a member that are still to be computed with the vectors that lists use now. After a switch to other vectors, all
 * jobs are computed again, which may take a while. Until then, the labels in the shortlists of those jobs stay as they are, so that no
 * shortlist mixes versions, and the member's own list shows these labels instead, so that it does not either. The result is empty except
 * during that time.
 */
export async function findNewLabels(
  services: { readonly memory: Memory },
  db: Reader,
  member_id: string,
): Promise<readonly NewLabels[]> {
  const { version, since } = await findListedVersion(db);
  if (!since || (await areAllComputed(services, db, since))) return [];
  const open = new Map((await listOpenMemberMatches(db, member_id)).map((match) => [match.job_id, match]));
  const jobs = await listJobsWithOutdatedMatches(db, [...open.keys()], since);
  if (jobs.length === 0) return [];
  const [vector] = await listMemberVectors(db, version, [member_id]);
  if (!vector) return [];
  const policy = await findLivePolicy(db);
  const norms = await loadTraitNorms(services, db, version);
  return jobs.flatMap((job) => {
    const match = open.get(job.id);
    if (match?.version !== job.version) return [];
    const terms = { ...job, values: null };
    const weights = computeFitWeights(applyPolicy(policy, job), norms);
    const measured = measureMatch(vector, { weights, terms });
    const { quality, confidence_level, provisional, suitability } = measured;
    return [{ id: match.id, match_quality: quality, confidence_level, provisional, suitability }];
  });
}

/** Finds the labels that a member reads of one match instead of the stored ones, like {@link findNewLabels}. Others read the stored ones. */
export async function findOwnLabels(
  services: { readonly memory: Memory; readonly caller: Pick<LoggedInCaller, 'role'> },
  db: Reader,
  { id, member_id }: Pick<Match, 'id' | 'member_id'>,
): Promise<NewLabels | undefined> {
  if (services.caller.role !== 'member') return undefined;
  return (await findNewLabels(services, db, member_id)).find((labels) => labels.id === id);
}

/** Switches after which all jobs have been computed. There is nothing to find any more, and most requests need no statement for it. */
const getFinishedSwitches = instanceMemory(() => new LRUCache<number, true>({ max: 16 }));

async function areAllComputed(
  services: { readonly memory: Memory },
  db: Reader,
  since: Date,
): Promise<boolean> {
  const finished = getFinishedSwitches(services);
  if (finished.has(since.getTime())) return true;
  if (await hasOutdatedMatches(db, since)) return false;
  finished.set(since.getTime(), true);
  return true;
}
