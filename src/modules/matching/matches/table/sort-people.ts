import { matchQualities, type MatchQuality } from '#modules/matching/engine';
import type { DescribedPriority } from '../explanations/explanation-words.ts';
import type { tableSorts, Turn } from './rules.ts';

/** The words of a row by which a table can be sorted, and its place in the order of the lists. */
export type SortedPerson = {
  readonly id: string;
  readonly match_quality: MatchQuality;
  /** What its explanation says; null while it is being written. */
  readonly priorities: readonly Pick<DescribedPriority, 'state' | 'standing' | 'side'>[] | null;
  readonly is_new: boolean;
  readonly waits_for: Turn | null;
  readonly labels: readonly string[];
};

/** One number or text a row, by which an order compares; lower comes first. */
type Key = readonly (number | string)[];

/** Where a person is in a sorted table: the key as JSON, the tier and the random id. */
export type SortedPlace = readonly [key: string, match_quality: MatchQuality, id: string];

/** What is above average comes first, then what is open, and last what says nothing. */
const states = ['strength', 'unclear', 'growth', 'not_described'] as const;

/** The place of a trait in an order: what is likely stands between what is clear and what is open, and what is far from the average outside of it. */
function findPlace({
  state,
  standing,
  side,
}: Pick<DescribedPriority, 'state' | 'standing' | 'side'>): number {
  const place = states.indexOf(state);
  if (side === 'far_above') return place - 0.5;
  if (side === 'far_below') return place + 0.5;
  if (standing === 'likely') return place + (side === 'above' ? -0.5 : 0.5);
  return place;
}

const keys: Readonly<Record<(typeof tableSorts)[number], (person: SortedPerson) => Key>> = {
  fit: () => [],
  asked: ({ priorities }) => (priorities ?? []).map(findPlace),
  new: ({ is_new }) => [is_new ? 0 : 1],
  waiting: ({ waits_for }) => [waits_for === 'organisation' ? 0 : 1, waits_for === null ? 1 : 0],
  // Those without a label come last.
  labels: ({ labels }) => [labels.length === 0 ? 1 : 0, ...labels.map((label) => label.toLowerCase())],
};

/**
 * Sorts the people of a table by words that it shows. People with the same words have the order of the lists, which is random within a
 * tier, so that a place says nothing that the words do not say.
 */
export function sortPeople(
  people: readonly SortedPerson[],
  sort: (typeof tableSorts)[number],
): readonly SortedPlace[] {
  const readKey = keys[sort];
  return people
    .map((person) => ({
      key: readKey(person),
      quality: matchQualities.indexOf(person.match_quality),
      person,
    }))
    .toSorted((one, other) =>
      comparePlaces([one.key, one.quality, one.person.id], [other.key, other.quality, other.person.id]),
    )
    .map(({ key, person }) => [JSON.stringify(key), person.match_quality, person.id]);
}

/** The places that follow another one. Its person may have gone, or be somewhere else by now. */
export function selectFollowing(
  sorted: readonly SortedPlace[],
  after: SortedPlace | undefined,
): readonly SortedPlace[] {
  if (!after) return sorted;
  const from = parsePlace(after);
  return sorted.filter((place) => comparePlaces(parsePlace(place), from) > 0);
}

type Parsed = readonly [key: Key, quality: number, id: string];

function parsePlace([key, match_quality, id]: SortedPlace): Parsed {
  return [JSON.parse(key) as Key, matchQualities.indexOf(match_quality), id];
}

function comparePlaces([key, quality, id]: Parsed, [otherKey, otherQuality, otherId]: Parsed): number {
  return compareKeys(key, otherKey) || quality - otherQuality || compareKeys([id], [otherId]);
}

function compareKeys(one: Key, other: Key): number {
  for (let place = 0; place < Math.max(one.length, other.length); place++) {
    const [left, right] = [one[place], other[place]];
    // A row whose reasons are still being written has nothing to compare, and comes last.
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}
