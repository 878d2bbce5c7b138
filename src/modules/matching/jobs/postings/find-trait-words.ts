import { continuousTraits, type ContinuousTrait } from '#modules/measurement/traits';
import { traitWords, wordsOfNoTrait } from './trait-words.ts';

/** A trait that a text asks for: the entries of the list that were found, and the words of the text, each once, in its order. */
export type NamedTrait = {
  readonly trait: ContinuousTrait;
  readonly entries: number;
  readonly words: readonly string[];
};

type Entry = { readonly trait: ContinuousTrait | undefined; readonly words: readonly string[] };
type Word = { readonly text: string; readonly start: number; readonly end: number };

/** Entries by their first letters, and the longest first, so that “accurate records” is not read as “accurate”. */
const entries: ReadonlyMap<string, readonly Entry[]> = Map.groupBy(
  [
    ...continuousTraits.flatMap((trait) => traitWords[trait].map((entry) => buildEntry(trait, entry))),
    ...wordsOfNoTrait.map((entry) => buildEntry(undefined, entry)),
  ].toSorted((one, other) => other.words.length - one.words.length),
  ({ words }) => words[0]!.slice(0, 2),
);

function buildEntry(trait: ContinuousTrait | undefined, entry: string): Entry {
  return { trait, words: entry.split(' ') };
}

/**
 * Finds the traits that an English text asks for by the words of {@link traitWords}: the same text always gives the same. Traits that more entries name are first. Words that a “no” or “not” precedes in the same sentence
 * are left out.
 */
export function findTraitWords(text: string): readonly NamedTrait[] {
  const found = new Map<ContinuousTrait, Map<string, string>>();
  for (const sentence of text.split(/[.!?;•\n]/)) {
    const words = listWords(sentence);
    for (let place = 0; place < words.length;) {
      const entry = findEntry(words, place);
      const after = place + (entry?.words.length ?? 1);
      if (entry?.trait !== undefined && !isDenied(words, place))
        keep(found, entry.trait, entry, sentence.slice(words[place]!.start, words[after - 1]!.end));
      place = after;
    }
  }
  return [...found]
    .map(([trait, named]) => ({ trait, entries: named.size, words: [...new Set(named.values())] }))
    .toSorted((one, other) => other.entries - one.entries || compareOrder(one.trait, other.trait));
}

function keep(
  found: Map<ContinuousTrait, Map<string, string>>,
  trait: ContinuousTrait,
  { words }: Entry,
  written: string,
): void {
  const named = found.get(trait) ?? new Map<string, string>();
  found.set(trait, named);
  const entry = words.join(' ');
  if (!named.has(entry)) named.set(entry, written.replace(/\s+/g, ' '));
}

/** Lists the words of a sentence in lower case, with their places. A hyphen separates words. */
export function listWords(sentence: string): readonly Word[] {
  return [...sentence.matchAll(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu)].map(({ 0: text, index }) => ({
    text: text.toLowerCase().replace('’', "'"),
    start: index,
    end: index + text.length,
  }));
}

function findEntry(words: readonly Word[], place: number): Entry | undefined {
  const candidates = entries.get(words[place]!.text.slice(0, 2)) ?? [];
  return candidates.find((entry) =>
    entry.words.every((pattern, index) => isMatch(pattern, words[place + index]?.text)),
  );
}

function isMatch(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern;
}

const denials = new Set(['no', 'not', 'never', 'without', "don't", "doesn't", "isn't", "needn't"]);

/** Whether one of the three words before denies what follows. “Not only” and “not just” deny nothing. */
function isDenied(words: readonly Word[], place: number): boolean {
  const before = words.slice(Math.max(0, place - 3), place).map(({ text }) => text);
  return before.some(
    (word, index) => denials.has(word) && !['only', 'just', 'least'].includes(before[index + 1] ?? ''),
  );
}

function compareOrder(one: ContinuousTrait, other: ContinuousTrait): number {
  return continuousTraits.indexOf(one) - continuousTraits.indexOf(other);
}
