import { expect, test } from 'vitest';
import { computeFit, computeFitWeights, computeTier } from '#modules/matching/engine';
import { itemBank, type TraitNorms } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { computeAllMatches } from '../src/modules/matching/matches/computing/compute-all-matches.ts';
import { computeJobMatches } from '../src/modules/matching/matches/computing/compute-job-matches.ts';
import { computeMemberMatches } from '../src/modules/matching/matches/computing/compute-member-matches.ts';
import { replaceParameters } from '../src/modules/measurement/traits/items/bank.ts';
import { insertParameterVersion } from '../src/modules/measurement/traits/parameters/store.ts';
import { buildTraitNorms } from '../src/modules/measurement/traits/parameters/trait-norms.ts';
import { insertSwitch } from '../src/modules/measurement/traits/rescoring/store.ts';
import { startApp } from './harness.ts';
import {
  createJob,
  deleteStoredMatches,
  fillMeans,
  fillSlots,
  findStoredMatch,
  insertMembers,
  runTask,
} from './modules/matching.ts';

const version = 'mvp20-1.00000000000000cc';

/** A calibration that differs from the built-in parameters only in what jobs are scaled by: the correlations and the shared errors. */
const parameters = {
  items: {},
  correlations: itemBank.traits.map((one) => itemBank.traits.map((other) => (one === other ? 1 : 0.8))),
  shared_errors: { location: 0.02, log_discrimination: 0.02 },
};
const learned = buildTraitNorms(replaceParameters(itemBank, version, false, parameters));
const builtIn = buildTraitNorms(itemBank);
const priorities = { persistence: 1, achievement_drive: 0.8, social_initiative: 0.5 };
const [mean, variance] = [fillMeans(1.6), fillSlots(0.1)];

const computeExpectedTier = (norms: TraitNorms) => {
  const weights = computeFitWeights(priorities, norms);
  const fit = computeFit(weights, mean, variance);
  return computeTier(fit.mean, fit.sd, weights.shared_sd);
};

const app = await startApp();

test('after a switch to a calibration, jobs are scaled by its correlations and its shared errors, in every computation', async () => {
  const tiers = [builtIn, { ...learned, correlations: builtIn.correlations }, learned].map(
    computeExpectedTier,
  );
  expect(tiers[2]).not.toBe(tiers[0]);
  expect(tiers[2]).not.toBe(tiers[1]);
  const { token, org_id } = await app.registerOrgAdmin();
  const [member_id] = await insertMembers(app, [{ mean, variance }]);
  const job_id = await createJob(app, token, priorities);
  await app.drainQueue();
  const readTier = async () => (await findStoredMatch(app, job_id, member_id!)).match_quality;
  expect(await readTier()).toBe(tiers[0]);
  app.clock.advance(60_000);
  await switchLists(member_id!);
  await runTask(app, computeAllMatches, {});
  expect(await readTier()).toBe(tiers[2]);
  for (const compute of [
    () => runTask(app, computeMemberMatches, { member_id: member_id! }),
    () => runTask(app, computeJobMatches, { job_id, org_id }),
  ]) {
    await deleteStoredMatches(app, member_id);
    await compute();
    expect(await readTier()).toBe(tiers[2]);
  }
});

/** Stores the calibration, gives the member the same vector under it, and makes lists use it. */
async function switchLists(member_id: string): Promise<void> {
  const now = app.clock.now();
  await app.sql.transaction(async (tx) => {
    await insertParameterVersion(tx, {
      version,
      item_bank_version: itemBank.version,
      provisional: false,
      base_version: null,
      parameters,
      respondents: 2_500,
      report: {},
      created_at: now,
    });
    await tx.run(sql`
      insert into trait_vectors
        (member_id, version, item_bank_version, parameter_version, vector, latent_mean, latent_variance, provisional, created_at)
      select member_id, 2, item_bank_version, ${version}, vector, latent_mean, latent_variance, false, ${now}::timestamptz
      from trait_vectors where member_id = ${member_id}`);
    await insertSwitch(tx, version, now);
  });
}
