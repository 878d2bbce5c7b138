import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import {
  computeAllMatches,
  findLivePolicy,
  findPolicy,
  insertPolicy,
  insertUse,
  listPolicies,
  listUses,
  lockPolicies,
  type StoredPolicy,
  policyComparison,
  type FitPolicy,
} from '#modules/matching/matches';
import type { Database, Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { checkGrants } from './check-grants.ts';
import { evaluatePolicy, type Findings } from './evaluate-policy.ts';
import { gatherObservations } from './gather-observations.ts';
import { proposePolicy } from './propose-policy.ts';
import { insertEvaluation } from './store.ts';
import { observations_max, readObservations } from './read-observations.ts';
import type { Observation } from './store-observations.ts';
import { nil_uuid } from '#lib/nil-uuid.ts';
import { listConsentedAnswers, listMembersWithAnswers } from '#modules/people/self-identification';
import { computeImpactRatios, type GroupRatio } from './estimation/impact-ratios.ts';

/** After how many new outcomes a candidate is built. */
export const batch_outcomes = 250;

/**
 * Learns from outcomes, every night: stores what is new, evaluates the candidate of an earlier night and promotes it if every rule allows it, and builds the next
 * candidate when there are enough new outcomes. A candidate changes nothing before it is promoted. After a rollback, nothing is promoted until
 * an operator promotes a version again.
 */
export const learnFromOutcomes = task({
  name: 'learning.learnFromOutcomes',
  // The next night replaces a retry.
  retry_seconds: [],
  every: '41 2 * * *',
  run: async (context) => {
    await checkGrants(context.database);
    await gatherObservations(context);
    const observations = await readObservations(context);
    const live = await findLivePolicy(context.database);
    const candidate = await findCandidate(context.database, live);
    if (candidate) {
      const findings = await evaluateCandidate(context, { live, candidate }, observations);
      const [lastUse] = await listUses(context.database, 1);
      if (findings.reasons.length === 0 && lastUse?.action !== 'rollback') {
        await promoteCandidate(context, candidate.version);
        return;
      }
    }
    await proposeCandidate(context, observations);
  },
});

/** Finds the newest version, if it was made from the live one and is not live. */
async function findCandidate(database: Database, live: StoredPolicy): Promise<StoredPolicy | undefined> {
  const [newest] = await listPolicies(database, 1);
  return newest?.parent === live.version ? newest : undefined;
}

/** Evaluates a version against the live one, and stores what was found. */
export async function evaluateCandidate(
  context: Pick<Platform, 'database' | 'memory' | 'now'>,
  { live, candidate }: { readonly live: StoredPolicy; readonly candidate: StoredPolicy },
  observations: readonly Observation[],
): Promise<Findings> {
  const { database, now } = context;
  const groups = await compareGroups(context, { live, candidate });
  const findings = evaluatePolicy(observations, { live, candidate }, groups);
  await database.transaction(async (tx) => {
    await lockPolicies(tx);
    await insertEvaluation(tx, { version: candidate.version, evaluated_at: now(), findings });
  });
  return findings;
}

async function proposeCandidate(
  { database, now }: Pick<TaskContext, 'database' | 'now'>,
  observations: readonly Observation[],
): Promise<void> {
  const [newest] = await listPolicies(database, 1);
  const known = Number(newest?.trained_on['known_outcomes'] ?? 0);
  if (observations.length < Math.min(known + batch_outcomes, observations_max)) return;
  const live = await findLivePolicy(database);
  const proposal = proposePolicy(observations, live.multipliers);
  if (!proposal) return;
  await database.transaction(async (tx) => {
    await lockPolicies(tx);
    // Another worker may have been faster.
    const [latest] = await listPolicies(tx, 1);
    if (latest?.version !== newest?.version) return;
    await insertPolicy(tx, {
      parent: live.version,
      multipliers: proposal.multipliers,
      trained_on: { ...proposal.trained_on, known_outcomes: observations.length },
      created_at: now(),
    });
  });
}

type Changer = Pick<Platform, 'database' | 'now' | 'queue'>;

/** Puts a version into use whose parent is live, and has all matches computed again. */
function promoteCandidate(context: Changer, version: number): Promise<void> {
  return context.database.transaction(async (tx) => {
    await lockPolicies(tx);
    const [live, candidate] = [await findLivePolicy(tx), await findPolicy(tx, version)];
    if (candidate?.parent !== live.version) return;
    await changeUse(context, tx, { version, before: live.version, action: 'promote' });
  });
}

/** Puts a version into use, records it in the audit log, and has all matches computed again. */
export async function changeUse(
  { now, queue }: Pick<Changer, 'now' | 'queue'>,
  tx: Transaction,
  {
    version,
    before,
    action,
  }: { readonly version: number; readonly before: number; readonly action: 'promote' | 'rollback' },
  actor: NewAuditEntry['actor'] = null,
): Promise<void> {
  await insertUse(tx, { version, action, used_at: now() });
  await queue.send(tx, computeAllMatches, {});
  const audited = action === 'promote' ? 'policies.promoted' : 'policies.rolled_back';
  await recordAudit(tx, { now: now(), actor, action: audited, detail: { version, before } });
}

const members_max = 2_000;

/**
 * Compares how a candidate and the live policy would select members who self-identified and consent to statistics, for active jobs. It does so with the
 * service's own privileges, apart from learning, and returns ratios of groups of at least ten only: no answer reaches the outcome model.
 */
async function compareGroups(
  services: Pick<TaskContext, 'database' | 'memory'>,
  policies: { readonly live: FitPolicy; readonly candidate: FitPolicy },
): Promise<readonly GroupRatio[]> {
  const { database: db } = services;
  const member_ids = await listMembersWithAnswers(db, nil_uuid, members_max);
  const answers = await listConsentedAnswers(db, member_ids);
  const selections = await policyComparison.compareTiers(
    services,
    db,
    answers.map(({ member_id }) => member_id),
    policies,
  );
  return computeImpactRatios(
    selections,
    new Map(answers.map(({ member_id, ...answer }) => [member_id, answer])),
  );
}
