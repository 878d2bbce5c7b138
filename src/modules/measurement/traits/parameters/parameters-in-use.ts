import { LRUCache } from 'lru-cache';
import { cacheByObject } from '#lib/cache-results.ts';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { findParameterVersion, findVersionInUse } from './store.ts';
import { replaceParameters, type ItemBank } from '../items/bank.ts';
import { builtInBanks, itemBank } from '../items/item-bank.ts';
import { prepareCurves } from '../measurement/prepare-curves.ts';

/** Returns the version of the item parameters that new assessments use. */
export async function resolveVersionInUse(db: Reader): Promise<string> {
  return (await findVersionInUse(db)) ?? itemBank.parameter_version;
}

/**
 * Loads the item bank with a version of the parameters: an assessment in progress continues with the version that it started with.
 * Versions never change, so each is read and prepared once.
 */
export async function loadItemBank(
  services: Pick<Services, 'memory'>,
  db: Reader,
  parameter_version: string,
): Promise<ItemBank> {
  const bank =
    builtInBanks.get(parameter_version) ??
    getItemBanks(services).get(parameter_version) ??
    (await readItemBank(services, db, parameter_version));
  await prepareOnce(bank);
  return bank;
}

/** Prepares a bank in pieces the first time it is used in this process. */
const prepareOnce = cacheByObject((bank: ItemBank) => prepareCurves(bank));

async function readItemBank(
  services: Pick<Services, 'memory'>,
  db: Reader,
  parameter_version: string,
): Promise<ItemBank> {
  const stored = await findParameterVersion(db, parameter_version);
  if (!stored) throw new Error(`version ${parameter_version} of the item parameters does not exist`);
  const bank = replaceParameters(itemBank, parameter_version, stored.provisional, stored.parameters);
  getItemBanks(services).set(parameter_version, bank);
  return bank;
}

const getItemBanks = instanceMemory(() => new LRUCache<string, ItemBank>({ max: 16 }));
