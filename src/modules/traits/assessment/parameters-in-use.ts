import { LRUCache } from 'lru-cache';
import { type ItemBank, replaceParameters } from '../items/bank.ts';
import { itemBank } from '../items/item-bank.ts';
import { findParameterVersion, findVersionInUse } from '../calibration/store.ts';
import type { Reader } from '#platform/database/database.ts';

/** The version that new assessments are taken with. */
export async function resolveVersionInUse(db: Reader): Promise<string> {
  return (await findVersionInUse(db)) ?? itemBank.parameter_version;
}

/**
 * The bank with a version's numbers: an assessment in progress keeps those that it began with. A version is named after a digest of its
 * numbers and never changes, so it is read once.
 */
export async function loadItemBank(db: Reader, parameter_version: string): Promise<ItemBank> {
  if (parameter_version === itemBank.parameter_version) return itemBank;
  const known = banks.get(parameter_version);
  if (known) return known;
  const found = await findParameterVersion(db, parameter_version);
  if (!found) throw new Error(`there is no version ${parameter_version} of the item parameters`);
  const bank = replaceParameters(itemBank, parameter_version, found.provisional, found.parameters);
  banks.set(parameter_version, bank);
  return bank;
}

const banks = new LRUCache<string, ItemBank>({ max: 16 });
