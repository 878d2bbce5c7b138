import type { JobTemplate } from '../templates/template-priorities.ts';
import { listWords } from './find-trait-words.ts';

/** The occupation of a job, and the words of its title that name it; without words if the posting has its code. */
export type FoundOccupation = { readonly template: JobTemplate; readonly words: string };

/** What ends the name of the work in a title: “Registered nurse, night shift”, “Teacher of music”, “Assistant to the director”. */
const title_end = /[,;:(|/–—]|\s-\s|\b(?:of|at|in|for|to|with)\b/i;

/**
 * Finds the occupation that a title names: its words must end the name of the work, singular or plural. A name that several occupations have says nothing, and of several names the longest counts.
 */
export function findOccupation(
  title: string,
  templates: readonly JobTemplate[],
): FoundOccupation | undefined {
  const name = title.split(title_end)[0]!.trim();
  const words = listWords(name);
  const singular = words.map(({ text }) => toSingular(text));
  // The end of “baker and cashier” would name half of the work.
  if (/&|\b(?:and|or)\b/i.test(name)) return undefined;
  const byName = Map.groupBy(templates, ({ title: occupation }) => nameOccupation(occupation));
  for (let first = 0; first < words.length; first++) {
    const [template, ...others] = byName.get(singular.slice(first).join(' ')) ?? [];
    if (template && others.length === 0) return { template, words: name.slice(words[first]!.start) };
  }
  return undefined;
}

/**
 * The name of an occupation as postings have it; undefined if its title does not stand for the whole of it. “Accountants and Auditors” are both, and of “Environmental Scientists and Specialists” the first is the name; but
 * “Agents and Business Managers of Artists” are not agents in general, and “Education Teachers, Postsecondary” not teachers in general.
 */
function nameOccupation(title: string): string | undefined {
  const [whole = '', limit] = title.split(/,\s*(.*)/s);
  if (limit !== undefined && !/^(?:Except|Including)\b/.test(limit)) return undefined;
  const [first = '', second] = whole.split(/\s(?:and|or)\s(.*)/s);
  const words = listWords(first).map(({ text }) => toSingular(text));
  const isHalf = second !== undefined && words.length === 1 && listWords(second).length > 1;
  return isHalf ? undefined : words.join(' ');
}

/** English plurals, as far as names of occupations have them. */
function toSingular(word: string): string {
  if (word.endsWith('women') || word.endsWith('men')) return `${word.slice(0, -2)}an`;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
