import {
  computeNameSkeleton,
  disguises,
  hasMixedWord,
  listReadWords,
  lookAlikes,
  replaceLookAlikes,
} from '#lib/text/look-alikes.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import { staffCompanions, staffWords } from '#lib/text/staff-words.ts';

/** Why an organisation cannot have a name, whatever other organisations are called. */
export type NameFault = { readonly code: RefusalCode; readonly reason: string };

/** Embeddings, overrides and isolates (UAX #9): `\\u202earesset` is shown as the name of this service. Letters have their direction without them. */
const turningCharacter = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Finds what is wrong with a name by itself.
 *
 * @param host The host of this service's address.
 */
export function findNameFault(name: string, host: string): NameFault | undefined {
  if (turningCharacter.test(name))
    return {
      code: 'field_invalid',
      reason: 'must not contain characters that turn the direction of writing',
    };
  if (hasMixedWord(name))
    return { code: 'field_invalid', reason: 'must not mix letters of several alphabets in one word' };
  if (doesImitateService(name, host))
    return {
      code: 'organisation_name_taken',
      reason: 'reads like a name of this service or of its staff. Choose another one',
    };
  return undefined;
}

/** The reason for a name that another organisation has made its own. */
export const namesake_reason =
  'reads like the name of an organisation that has proven its domain. Choose another one';

/** Lists the domains that a name contains, in small letters, with those above them: `pay.quay.org` and `quay.org` of `Pay.Quay. org`. */
export function listNamedHosts(name: string): readonly string[] {
  const parts = name.normalize('NFKC').toLowerCase().split('.');
  const words = parts
    .map((part) => part.trim())
    .join('.')
    .split(/[^\p{L}\p{N}.-]+/u);
  return words.flatMap((word) => {
    const labels = word.split('.').filter((label) => label !== '');
    return labels.slice(1).map((_, index) => labels.slice(index).join('.'));
  });
}

const service_name = removeRepetition('tessera');

/** Words of the language that begin with the name of the service. */
const ordinaryWord = /^tesera(?:ct(?:s|lc)?|e|l)$/;

/** Whether a reader would take an organisation of this name for this service: its name or host, or nothing but names of the staff. */
export function doesImitateService(name: string, host: string): boolean {
  const words = listReadWords(name);
  // Digits at the end of a word are letters in disguise, or a number.
  const numberless = words.map((word) => word.replace(/(?<=\p{L})\d+$/u, ''));
  return [words, numberless].some((each) => doWordsImitate(each.map(removeDisguise), host));
}

function doWordsImitate(words: readonly string[], host: string): boolean {
  const spelled = words.map(removeRepetition);
  if (spelled.some((word) => word.includes(service_name) && !ordinaryWord.test(word))) return true;
  if (hasRun(spelled, service_name) || hasRun(words, 'tessera')) return true;
  // A host of one word, such as localhost, is not the name of a service.
  if (host.includes('.') && hasRun(words, removeDisguise(computeNameSkeleton(host)))) return true;
  const staff = new Set(staffWords.map(removeDisguise));
  const companions = new Set(staffCompanions.map(removeDisguise));
  return (
    words.some((word) => staff.has(word)) && words.every((word) => staff.has(word) || companions.has(word))
  );
}

/** Whether some words that follow each other make up a text together, as in `T e s s e r a` or `Tess Era`. */
function hasRun(words: readonly string[], text: string): boolean {
  return words.some((_, start) => {
    let joined = '';
    for (let index = start; index < words.length && joined.length < text.length; index++)
      joined += words[index]!;
    return joined === text;
  });
}

function removeDisguise(word: string): string {
  return replaceLookAlikes(replaceLookAlikes(word, lookAlikes), disguises);
}

/** A reader overlooks that a letter is doubled, or is not: `Tesserra`. */
function removeRepetition(word: string): string {
  return word.replace(/(.)\1+/gu, '$1');
}
