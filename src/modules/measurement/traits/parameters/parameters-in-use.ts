import { LRUCache } from 'lru-cache';
import { cacheByObject } from '#lib/cache-results.ts';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import {
  findForm,
  findNewestForm,
  findParameterVersion,
  findVersionInUse,
  type StoredParameters,
  ownBank,
} from './store.ts';
import { replaceParameters, type ItemBank } from '../items/bank.ts';
import { buildUncalibrated } from '../items/build-bank.ts';
import { english } from '../items/languages.ts';
import { mapToTraits } from '../items/map-bank.ts';
import { translateBank } from '../items/translate-bank.ts';
import { builtInBanks, itemBank } from '../items/item-bank.ts';
import { buildOwnBank } from '../items/own-bank.ts';
import { prepareCurves } from '../measurement/prepare-curves.ts';

/** Returns the version of the item parameters that new assessments use. */
export async function resolveVersionInUse(db: Reader): Promise<string> {
  return (await findVersionInUse(db)) ?? itemBank.parameter_version;
}

/** Loads our own bank as it was added to last, with the parameters from which a calibration starts. */
export async function loadOwnBank(db: Reader): Promise<ItemBank> {
  return buildOwnBank(await findNewestForm(db, ownBank));
}

/**
 * Loads the item bank with a version of the parameters, as it is read in a language: an assessment in progress continues with the version and the language
 * that it started with. Null is the language of the parameters. Versions never change, so each is read and prepared once.
 */
export async function loadItemBank(
  services: Pick<Services, 'memory'>,
  db: Reader,
  parameter_version: string,
  language: string | null = null,
): Promise<ItemBank> {
  const bank =
    builtInBanks.get(parameter_version) ??
    getItemBanks(services).get(parameter_version) ??
    (await readItemBank(services, db, parameter_version));
  const read = language === null ? bank : translateOnce(services, bank, language);
  await prepareOnce(read);
  return read;
}

/** Translates a bank the first time that it is read in a language in this process. */
function translateOnce(services: Pick<Services, 'memory'>, bank: ItemBank, language: string): ItemBank {
  if (language === (bank.language ?? english)) return bank;
  const banks = getItemBanks(services);
  const key = `${bank.parameter_version} ${language}`;
  const translated = banks.get(key) ?? translateBank(bank, language);
  banks.set(key, translated);
  return translated;
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
  const bank = await buildStoredBank(db, parameter_version, stored);
  getItemBanks(services).set(parameter_version, bank);
  return bank;
}

/** Builds the bank of a version, whether or not it is stored, with its statements. Throws for an imported bank whose scales have no traits. */
export async function buildStoredBank(
  db: Reader,
  version: string,
  {
    bank,
    item_bank_version,
    provisional,
    parameters,
  }: Pick<StoredParameters, 'bank' | 'item_bank_version' | 'provisional' | 'parameters'>,
): Promise<ItemBank> {
  const form = await findForm(db, bank, item_bank_version);
  if (bank === ownBank) return replaceParameters(buildOwnBank(form), version, provisional, parameters);
  if (!form || !parameters.map) throw new Error(`the scales of version ${version} have no traits`);
  const named = { ...buildUncalibrated(form, parameters.language), name: bank };
  return mapToTraits(replaceParameters(named, version, provisional, parameters), parameters.map);
}

const getItemBanks = instanceMemory(() => new LRUCache<string, ItemBank>({ max: 16 }));
