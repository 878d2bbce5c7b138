import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs } from '#modules/matching/jobs';
import { loadTraitNorms } from '#modules/measurement/traits';
import type { Reader } from '#platform/database/database.ts';
import type { Memory } from '#platform/platform.ts';
import { findListedVersion, listVectors } from '../index/store-vectors.ts';
import { compareTiers, listWeights } from './compare-tiers.ts';
import { countMoves, type TierMoves } from './count-moves.ts';
import type { FitPolicy } from './rules.ts';
import { tierMovesField } from './wire.ts';

const jobs_max = 64;
/** As many as a request can compare: each is computed for every job. */
const members_max = 200;

/** Counts how tiers of the first 200 deployed members for 64 active jobs would move from one policy to another. Stores nothing. */
async function compareLists(
  services: { readonly memory: Memory },
  db: Reader,
  { live, candidate }: { readonly live: FitPolicy; readonly candidate: FitPolicy },
): Promise<{ readonly members: number; readonly tiers: TierMoves }> {
  const jobs = await listActiveJobs(db, nil_uuid, jobs_max);
  const { version } = await findListedVersion(db);
  const vectors = await listVectors(db, version, nil_uuid, members_max);
  const norms = await loadTraitNorms(services, db, version);
  const rank = (policy: FitPolicy) => ({
    vectors,
    weights: listWeights(jobs, policy, norms),
  });
  return { members: vectors.length, tiers: countMoves(rank(live), rank(candidate)) };
}

/** How two policies are compared: by lists for people, and by members for the fairness gate. */
export const policyComparison = { compareLists, compareTiers, tierMovesField };
