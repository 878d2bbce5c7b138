import { randomBytes } from 'node:crypto';
import { logistic } from '@tessera/psychometrics';
import { formatChildId, child_id_bytes } from '#lib/child-id.ts';
import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { computeFeatures, type FitPolicy } from '#modules/matching/matches';
import { builtInNorms, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { sql, type Database } from '#platform/database/database.ts';
import type { TestApp } from '#test/harness.ts';
import { addJob } from '../../src/modules/matching/jobs/add-job.ts';
import { computeFit, computeFitWeights } from '../../src/modules/matching/engine/fit.ts';
import { computeTier } from '../../src/modules/matching/engine/tiers.ts';
import { applyPolicy } from '../../src/modules/matching/matches/policies/rules.ts';
import { insertMatches as storeMatches } from '../../src/modules/matching/matches/store.ts';
import { day_ms } from './feedback.ts';
import { fillSlots, insertMembers, type Vector } from './matching.ts';

/** The priorities of every job of {@link insertPlacements}. */
export const learnedPriorities: TraitPriorities = {
  analytical_depth: 0.5,
  structure_preference: 0.5,
  social_initiative: 0.5,
  persistence: 0.5,
  sincerity: 0.5,
  autonomy_drive: 0.5,
};

/** What outcomes really depend on: three of the priorities a lot, the others hardly. */
const truth: Readonly<Partial<Record<string, number>>> = {
  analytical_depth: 1.9,
  social_initiative: 1.9,
  sincerity: 1.9,
  structure_preference: 0.1,
  persistence: 0.1,
  autonomy_drive: 0.1,
};

/** How many organisations, jobs of each, and matches of each job with an outcome and ratings; the same seed gives the same outcomes. */
export type PlacementCounts = {
  readonly organisations: number;
  readonly jobs: number;
  readonly matches: number;
  readonly seed: number;
  readonly occupation_code?: string | null;
};

/** Stores placements of 180 days ago whose outcomes follow other weights than the priorities. All matches of a job are of one tier. */
export async function insertPlacements(
  app: TestApp,
  { organisations, jobs, matches, seed, occupation_code = null }: PlacementCounts,
): Promise<readonly string[]> {
  const random = createSeededRandom(seed);
  const vectors = Array.from({ length: matches }, () => ({
    mean: traitCodes.map(() => drawStandardNormal(random)),
    variance: fillSlots(0.15),
  }));
  const job_ids: string[] = [];
  for (let place = 0; place < organisations; place += 1) {
    const { org_id } = await app.registerOrgAdmin();
    for (let job = 0; job < jobs; job += 1) {
      const member_ids = await insertMembers(app, vectors);
      const values = vectors.map(({ mean, variance }) => drawValue(random, { mean, variance }));
      const evaluates = job % 2 === 1;
      job_ids.push(
        await insertJobWithPlacements(app, { org_id, occupation_code, member_ids, values, evaluates }),
      );
    }
  }
  return job_ids;
}

function drawValue(
  random: Random,
  vector: { readonly mean: readonly number[]; readonly variance: readonly number[] },
): boolean {
  const features = computeFeatures(vector, learnedPriorities, undefined);
  const sum = traitCodes.reduce((total, code, trait) => total + (truth[code] ?? 1) * features[trait]!, 0);
  return random() < logistic(3 * sum);
}

type JobPlacements = {
  readonly org_id: string;
  readonly occupation_code: string | null;
  readonly member_ids: readonly string[];
  readonly values: readonly boolean[];
  /** Whether the job evaluates candidates. */
  readonly evaluates: boolean;
};

async function insertJobWithPlacements(
  app: TestApp,
  { org_id, occupation_code, member_ids, values, evaluates }: JobPlacements,
): Promise<string> {
  const now = app.clock.now();
  const placed_at = new Date(now.getTime() - 180 * day_ms);
  return app.sql.transaction(async (tx) => {
    const fields = { title: 'Archivist', outcome_description: 'The archive is in order.' };
    const added = {
      ...fields,
      org_id,
      trait_priorities: learnedPriorities,
      occupation_code,
      created_at: now,
    };
    // The id decides which half a job belongs to.
    let job = await addJob(tx, added);
    while (isEvaluating(job.id) !== evaluates) job = await addJob(tx, added);
    await tx.run(sql`update jobs set status = 'closed' where org_id = ${org_id}`);
    const matches = member_ids.map((member_id) => ({
      id: formatChildId(job.id, randomBytes(child_id_bytes)),
      job_id: job.id,
      member_id,
      org_id,
      match_quality: 'moderate' as const,
      confidence_level: 'medium' as const,
      provisional: false,
      suitability: 0,
      version: 1,
      policy_version: 1,
      tier_candidates: member_ids.length,
    }));
    await storeMatches(tx, matches, now);
    const ids = matches.map(({ id }) => id);
    await tx.run(sql`update matches set match_status = 'placed' where job_id = ${job.id}`);
    await tx.run(sql`update member_matches set match_status = 'placed' where job_id = ${job.id}`);
    await tx.run(sql`
      insert into match_outcomes (job_id, match_id, number, id, outcome, placed_at, recorded_at)
      select ${job.id}, id, 1, gen_random_uuid(), 'placed', ${placed_at}::timestamptz, ${placed_at} from unnest(${ids}::uuid[]) as id`);
    await tx.run(sql`
      insert into match_feedback (job_id, match_id, stage_days, respondent, id, overall_rating, created_at)
      select ${job.id}, id, 180, respondent, gen_random_uuid(), case when good then 5 else 1 end, ${now}::timestamptz
      from unnest(${ids}::uuid[], ${values}::boolean[]) as row (id, good)
        cross join unnest(array['member', 'organisation']) as respondent`);
    return job.id;
  });
}

/** Whether the outcomes of a job evaluate candidates instead of training them. */
function isEvaluating(job_id: string): boolean {
  return Number.parseInt(job_id.slice(2, 4), 16) % 5 >= 3;
}

/** Whether a member is a strong match or better for a job with {@link learnedPriorities} under a policy. */
export function isStrongMatch({ mean, variance }: Vector, policy: FitPolicy): boolean {
  const job = { trait_priorities: learnedPriorities, occupation_code: null };
  const weights = computeFitWeights(applyPolicy(policy, job), builtInNorms);
  const fit = computeFit(weights, mean, variance);
  const tier = computeTier(fit.mean, fit.sd, weights.shared_sd);
  return tier === 'strong' || tier === 'exceptional';
}

/** Stores version 2 of the policy, made from the first one: it multiplies the first trait by 1.06. */
export async function insertCandidate(database: Pick<Database, 'run'>): Promise<void> {
  await database.run(sql`
    insert into fit_policies select 2, 1, created_at, jsonb_build_object('all', jsonb_build_array(${'1.06'}::numeric) || (
      select jsonb_agg(1) from generate_series(2, 20))), trained_on from fit_policies where version = 1`);
}
