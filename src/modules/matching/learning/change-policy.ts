import { findLivePolicy, lockPolicies, type StoredPolicy } from '#modules/matching/matches';
import { OperatorError } from '#platform/command-line.ts';
import type { NewAuditEntry } from '#modules/operations/audit';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Findings } from './evaluate-policy.ts';
import { changeUse, evaluateCandidate } from './learn.ts';
import { readObservations } from './read-observations.ts';
import { findNamedPolicy } from './require-candidate.ts';

type Change = { readonly live: number; readonly before: number };

/**
 * Evaluates a version against the live one now, and stores what was found.
 *
 * @throws OperatorError for a version that does not exist, or is live.
 */
export async function evaluatePolicyFromCommand(
  platform: Platform,
  input: Readonly<Record<string, string>>,
): Promise<Findings> {
  const candidate = await requirePolicy(platform.database, input);
  const live = await findLivePolicy(platform.database);
  if (candidate.version === live.version)
    throw new OperatorError(`version ${live.version} is live; there is nothing to compare it with`);
  return evaluateCandidate(platform, { live, candidate }, await readObservations(platform));
}

/**
 * Evaluates a version again and puts it into use, if every rule allows it. There is no way around the rules.
 *
 * @param actor Null for the operator on the command line.
 * @throws OperatorError for a version that does not exist, is live already, was not made from the live one, or is refused, with every reason.
 */
export async function promotePolicy(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  actor: NewAuditEntry['actor'] = null,
): Promise<Change> {
  const candidate = await requirePolicy(platform.database, input);
  const live = await requireParent(platform.database, candidate);
  const observations = await readObservations(platform);
  const { reasons } = await evaluateCandidate(platform, { live, candidate }, observations);
  if (reasons.length > 0)
    throw new OperatorError(`version ${candidate.version} is refused: ${reasons.join(', ')}`);
  return platform.database.transaction(async (tx) => {
    await lockPolicies(tx);
    const { version: before } = await requireParent(tx, candidate);
    await changeUse(platform, tx, { version: candidate.version, before, action: 'promote' }, actor);
    return { live: candidate.version, before };
  });
}

/**
 * Puts the version from which the live one was made into use again, at once. Learning promotes nothing until an operator promotes a version.
 *
 * @throws OperatorError if the first version is live.
 */
export async function rollBackPolicy(platform: Platform): Promise<Change> {
  const change = await platform.database.transaction((tx) => rollBack(platform, tx));
  if ('first' in change)
    throw new OperatorError(`version ${change.first} is the first; there is nothing before it`);
  return change;
}

/**
 * Goes back in the caller's transaction.
 *
 * @param actor Null for the operator on the command line.
 * @returns the version that stays in use, if nothing is before it.
 */
export async function rollBack(
  services: Pick<Platform, 'now' | 'queue'>,
  tx: Transaction,
  actor: NewAuditEntry['actor'] = null,
): Promise<Change | { readonly first: number }> {
  await lockPolicies(tx);
  const { version: before, parent } = await findLivePolicy(tx);
  if (parent === null) return { first: before };
  await changeUse(services, tx, { version: parent, before, action: 'rollback' }, actor);
  return { live: parent, before };
}

/** Reads the live version, from which the given one must have been made. @throws OperatorError if it was not, or is live itself. */
async function requireParent(db: Reader, { version, parent }: StoredPolicy): Promise<StoredPolicy> {
  const live = await findLivePolicy(db);
  if (version === live.version) throw new OperatorError(`version ${version} is live already`);
  if (parent === live.version) return live;
  throw new OperatorError(`version ${version} was not made from version ${live.version}, which is live`);
}

/** Finds the version that a command names. @throws OperatorError if there is none. */
export async function requirePolicy(
  db: Reader,
  { version = '' }: Readonly<Record<string, string>>,
): Promise<StoredPolicy> {
  const policy = await findNamedPolicy(db, version);
  if (policy) return policy;
  throw new OperatorError(
    `the version "${version.slice(0, 100)}" does not exist; "policy list" lists all versions`,
  );
}
