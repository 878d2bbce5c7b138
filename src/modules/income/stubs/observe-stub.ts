import { replaceObservedVector } from '#modules/measurement/traits';
import type { Transaction } from '#platform/database/database.ts';
import { computePosterior, sumObservations, type Observation } from './rules.ts';
import { addEvidence, listEvidence } from './store.ts';

/** Adds observations to a stub that the transaction has locked, and computes its traits again. @returns of how many traits something is known. */
export async function observeStub(
  tx: Transaction,
  member_id: string,
  observations: readonly Observation[],
  now: Date,
): Promise<number> {
  await addEvidence(tx, member_id, sumObservations(observations));
  const evidence = await listEvidence(tx, member_id);
  await replaceObservedVector(tx, member_id, computePosterior(evidence), now);
  return evidence.length;
}
