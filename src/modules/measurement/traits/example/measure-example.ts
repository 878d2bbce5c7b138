import { cacheByObject } from '#lib/cache-results.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import type { Answer } from '../items/item.ts';
import { measureAnswers, type Measurement } from '../measurement/measure-answers.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { fictionalAnswers } from './fictional-answers.ts';

const answers: readonly Answer[] = fictionalAnswers.map(([item_id, option]) => ({ item_id, option }));

/**
 * Measures a fictional person, whose answers are fixed, as members are measured: with the parameters in use, or with our own if those belong to other
 * items. Each bank measures once, so that a request costs no more than two reads of the database.
 */
export async function measureExample(services: Pick<Services, 'memory'>, db: Reader): Promise<Measurement> {
  const used = await loadItemBank(services, db, await resolveVersionInUse(db));
  if (answers.every(({ item_id }) => used.itemsById.has(item_id))) return measureOnce(used);
  return measureOnce(await loadItemBank(services, db, itemBank.parameter_version));
}

const measureOnce = cacheByObject((bank: ItemBank) => measureAnswers(answers, bank));
