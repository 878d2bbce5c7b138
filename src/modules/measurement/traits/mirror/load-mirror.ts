import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import { chooseLanguage } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { chooseMirrorStatement } from './choose-statement.ts';
import { openMirror, type FirstMirror } from './sealed-mirror.ts';

type Reading = Pick<Services, 'secrets' | 'now' | 'memory'>;

/** A mirror with the items that it asks. */
export type LoadedMirror = { readonly mirror: FirstMirror; readonly bank: ItemBank };

/**
 * Opens a mirror and loads its items.
 *
 * @throws Refusal `mirror_expired` or if a new version of the program no longer has one of its items.
 */
export async function loadMirror(
  services: Reading,
  db: Reader,
  sealed: string,
  age_ms_max?: number,
): Promise<LoadedMirror> {
  const mirror = openMirror(services, sealed, age_ms_max);
  const { parameter_version, language, answers, asked_id } = mirror;
  const bank = await loadItemBank(services, db, parameter_version, language);
  const needed = [...answers.map(({ item_id }) => item_id), ...(asked_id === null ? [] : [asked_id])];
  if (!needed.every((id) => bank.itemsById.has(id))) throw new Refusal('mirror_expired');
  return { mirror, bank };
}

/** Begins a mirror with the parameters that new assessments use, in the preferred language if all statements exist in it. */
export async function beginMirror(
  services: Reading,
  db: Reader,
  preferred: readonly string[],
): Promise<LoadedMirror> {
  const parameter_version = await resolveVersionInUse(db);
  const offered = listBankLanguages(await loadItemBank(services, db, parameter_version));
  const language = chooseLanguage(preferred, offered);
  const bank = await loadItemBank(services, db, parameter_version, language);
  const begun = { seed: randomUUID(), parameter_version, language, answers: [] };
  return { mirror: askNext(begun, bank, services.now()), bank };
}

/** Answers the statement that waits. @throws Refusal `mirror_complete`. */
export function answerMirror({ mirror, bank }: LoadedMirror, option: number, now: Date): LoadedMirror {
  const { asked_id, asked_ms, answers } = mirror;
  if (asked_id === null) throw new Refusal('mirror_complete');
  const response_time_ms = Math.max(0, now.getTime() - asked_ms);
  const given = [...answers, { item_id: asked_id, option, response_time_ms }];
  return { mirror: askNext({ ...mirror, answers: given }, bank, now), bank };
}

function askNext(mirror: Omit<FirstMirror, 'asked_id' | 'asked_ms'>, bank: ItemBank, now: Date): FirstMirror {
  const asked = chooseMirrorStatement(mirror.answers, mirror.seed, bank);
  return { ...mirror, asked_id: asked?.id ?? null, asked_ms: now.getTime() };
}
