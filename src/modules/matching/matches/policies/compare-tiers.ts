import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { listActiveJobs, type Job } from '#modules/matching/jobs';
import type { Reader } from '#platform/database/database.ts';
import { loadTraitNorms, type TraitNorms } from '#modules/measurement/traits';
import type { Memory } from '#platform/platform.ts';
import { findListedVersion, listMemberVectors, type MemberVector } from '../index/store-vectors.ts';
import { type FitWeights, computeFit, computeFitWeights, computeTier } from '#modules/matching/engine';
import { applyPolicy, type FitPolicy } from './rules.ts';

/** For how many of the compared jobs a member is a strong match or better, under two policies. */
export type TierComparison = {
  readonly member_id: string;
  readonly jobs: number;
  readonly live: number;
  readonly candidate: number;
};

const jobs_max = 64;

/** Compares what two policies say about members and active jobs. It stores nothing and changes no match. */
export async function compareTiers(
  services: { readonly memory: Memory },
  db: Reader,
  member_ids: readonly string[],
  { live, candidate }: { readonly live: FitPolicy; readonly candidate: FitPolicy },
): Promise<readonly TierComparison[]> {
  const jobs = await listActiveJobs(db, nil_uuid, jobs_max);
  const { version } = await findListedVersion(db);
  const vectors = await listMemberVectors(db, version, member_ids);
  const norms = await loadTraitNorms(services, db, version);
  const weights = {
    live: listWeights(jobs, live, norms),
    candidate: listWeights(jobs, candidate, norms),
  };
  const compared: TierComparison[] = [];
  const endLongTurn = createTurnEnder();
  for (const vector of vectors) {
    await endLongTurn();
    compared.push({
      member_id: vector.member_id,
      jobs: jobs.length,
      live: countSelections(vector, weights.live),
      candidate: countSelections(vector, weights.candidate),
    });
  }
  return compared;
}

/** Lists the weights of jobs under a policy, in their order. */
export function listWeights(
  jobs: readonly Job[],
  policy: FitPolicy,
  norms: TraitNorms,
): readonly FitWeights[] {
  return jobs.map((job) => computeFitWeights(applyPolicy(policy, job), norms));
}

function countSelections({ mean, variance }: MemberVector, jobs: readonly FitWeights[]): number {
  return jobs.filter((weights) => {
    const fit = computeFit(weights, mean, variance);
    const tier = computeTier(fit.mean, fit.sd, weights.shared_sd);
    return tier === 'exceptional' || tier === 'strong';
  }).length;
}
