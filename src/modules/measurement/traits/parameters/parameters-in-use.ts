import { LRUCache } from 'lru-cache';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { findParameterVersion, findVersionInUse } from './store.ts';
import { replaceParameters, type ItemBank } from '../items/bank.ts';
import { builtInBanks, itemBank } from '../items/item-bank.ts';

/** Returns the version of the item parameters that new assessments use. */
export async function resolveVersionInUse(db: Reader): Promise<string> {
  return (await findVersionInUse(db)) ?? itemBank.parameter_version;
}

/**
 * Loads the item bank with a version of the parameters: an assessment in progress continues with the version that it started with.
 * Versions never change, so each is read once.
 */
export async function loadItemBank(
  services: Pick<Services, 'memory'>,
  db: Reader,
  parameter_version: string,
): Promise<ItemBank> {
  const builtIn = builtInBanks.get(parameter_version);
  if (builtIn) return builtIn;
  const banks = getItemBanks(services);
  const known = banks.get(parameter_version);
  if (known) return known;
  const stored = await findParameterVersion(db, parameter_version);
  if (!stored) throw new Error(`version ${parameter_version} of the item parameters does not exist`);
  const bank = replaceParameters(itemBank, parameter_version, stored.provisional, stored.parameters);
  banks.set(parameter_version, bank);
  return bank;
}

const getItemBanks = instanceMemory(() => new LRUCache<string, ItemBank>({ max: 16 }));
