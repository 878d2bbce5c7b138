import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { loadItemBank } from '../parameters/parameters-in-use.ts';
import type { ItemBank } from '../items/bank.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import { insertRescoredVectors, listLastAnswers, type RescoredVector, type StoredAnswers } from './store.ts';
import { ownBank } from '../parameters/store.ts';

/**
 * Scores the last answers of members with a version of the parameters, and stores those vectors that do not exist yet. The caller must hold
 * the lock of `lockMeasurements`.
 *
 * @returns how many vectors were stored, and how many members were left out because they answered another bank, or the bank does not have one of their items.
 */
export async function measureStoredAnswers(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  parameter_version: string,
  member_ids: readonly string[],
): Promise<{ readonly stored: number; readonly left_out: number }> {
  const answers = await listLastAnswers(tx, member_ids);
  const vectors: RescoredVector[] = [];
  for (const [language, given] of Map.groupBy(answers, (each) => each.language)) {
    const bank = await loadItemBank(services, tx, parameter_version, language);
    vectors.push(...given.flatMap((each) => rescore(each, bank)));
  }
  const stored = await insertRescoredVectors(tx, vectors, services.now());
  return { stored, left_out: answers.length - vectors.length };
}

function rescore({ answers, bank: name, ...stored }: StoredAnswers, bank: ItemBank): RescoredVector[] {
  const isComplete =
    name === (bank.name ?? ownBank) && answers.every(({ item_id }) => bank.itemsById.has(item_id));
  return isComplete ? [{ ...stored, ...measureAnswers(answers, bank) }] : [];
}
