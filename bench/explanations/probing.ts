import { computeCorrelation } from '@tessera/psychometrics';
import { toTraitSlot, traitCodes, type TraitCode } from '#modules/measurement/traits';
import { integrityTraits } from '../../src/modules/matching/matches/explanations/described-traits.ts';
import { average } from '../real-people/people.ts';
import type { Entry, Shortlist } from './shortlists.ts';
import { discloseNothing, type Disclosed } from './disclosures.ts';

/** What an organisation reads in lists: nothing but tiers, or the words too, in detail about some people, who may be described by numbers. */
export type Reading = {
  readonly words: boolean;
  readonly disclosed: Disclosed;
  readonly numbers?: boolean;
};

/** What is read about a trait of a person. */
function readTrait(entry: Entry, code: TraitCode, { words, disclosed, numbers }: Reading): string {
  if (!words || integrityTraits.has(code)) return '';
  const state = entry.priorities.find((priority) => priority.code === code)?.state ?? '';
  const found = disclosed.has(entry) && entry.standings.find((each) => each.code === code);
  if (!found) return state;
  if (numbers) return entry.vector.mean[toTraitSlot(code)]!.toFixed(1);
  const { standing, side, extreme } = found;
  return `${state} ${standing} ${side} ${extreme?.extreme} ${extreme?.certainty}`;
}

/** The people of the installation that is attacked. Their lists are read to the end, and everybody else is what the attacker knows of the population. */
const attacked_people = 100;

/** How much an attack reconstructs: without joining anybody, by the best key, and by the real ids, which organisations do not read. */
export type Reconstruction = Readonly<Record<'alone' | 'joined' | 'by_id', number>>;

/**
 * Reconstructs traits as `probing-attacks.test.ts` does: joins what the lists say about a person by each key, and correlates all estimates of all
 * persons with their measured traits. `codes` are the traits to reconstruct. The attacker knows the population: an estimate is the mean of the people about
 * whom the list says the same. What a list says about a trait that its job does not ask for is its tier, and who is described in less detail.
 */
export function measureAttack(
  lists: readonly Shortlist[],
  codes: readonly TraitCode[],
  reading: Reading,
): Reconstruction {
  const attacks = [false, true].map((with_others) => {
    const known = lists.flatMap((list, view) => estimateTraits(list, codes, { reading, view, with_others }));
    const joinBy = (key: Key) => joinEstimates(known, codes, key);
    return {
      alone: joinBy(({ view, place }) => `${view} ${place}`),
      joined: lists.length === 1 ? 0 : Math.max(...listKeys(lists, reading).map(joinBy)),
      by_id: joinBy(({ entry }) => String(entry.person)),
    };
  });
  const chooseBest = (kind: keyof Reconstruction) => Math.max(...attacks.map((attack) => attack[kind]));
  return { alone: chooseBest('alone'), joined: chooseBest('joined'), by_id: chooseBest('by_id') };
}

/**
 * Infers what a list withholds: traits of integrity, from the tier and everything that is read about the other traits. @returns the highest correlation with
 * the measured traits, undefined if nothing is withheld.
 */
export function measureWithheld({ job, entries }: Shortlist, reading: Reading): number | undefined {
  const say = (entry: Entry) =>
    `${entry.tier} ${traitCodes.map((code) => readTrait(entry, code, reading)).join('; ')}`;
  const groups = Map.groupBy(
    entries.filter(({ person }) => person >= attacked_people),
    say,
  );
  const attacked = entries.filter(({ person }) => person < attacked_people);
  const found = traitCodes
    .filter((code) => job[code] !== undefined && integrityTraits.has(code))
    .map((code) => {
      const read = ({ vector }: Entry) => vector.mean[toTraitSlot(code)]!;
      return computeCorrelation(
        attacked.map((entry) => summarise((groups.get(say(entry)) ?? []).map(read)).mean),
        attacked.map(read),
      );
    });
  return found.length === 0 ? undefined : Math.max(...found);
}

/** What an attacker may join people by across the lists of several jobs. */
type Key = (estimated: Estimated) => string;

/**
 * Lists what is equal for a person in several lists: what is said of the traits that all jobs ask for, in detail or not, alone or with the tier, and whether
 * it is said in detail. Places and times are attacked in `probing-attacks.test.ts`.
 */
function listKeys(lists: readonly Shortlist[], reading: Reading): readonly Key[] {
  const common = traitCodes.filter((code) => lists.every(({ job }) => job[code] !== undefined));
  const coarse = { ...reading, disclosed: discloseNothing };
  const say = (entry: Entry, how: Reading) => common.map((code) => readTrait(entry, code, how)).join('; ');
  return [coarse, reading].flatMap((how): Key[] => [
    ({ entry }) => say(entry, how),
    ({ entry }) => `${entry.tier} ${say(entry, how)}`,
    ({ entry }) => `${reading.disclosed.has(entry)} ${say(entry, how)}`,
  ]);
}

/** An estimate of a trait, and how much those differ from whom it is made. */
type Estimate = { readonly mean: number; readonly variance: number };

/** A person in a list, with the attacker's estimates of the traits. */
type Estimated = {
  readonly entry: Entry;
  readonly view: number;
  readonly place: number;
  readonly estimates: readonly Estimate[];
};

/** Estimates the traits of everybody in a list from the other people. */
function estimateTraits(
  { job, entries }: Shortlist,
  codes: readonly TraitCode[],
  {
    reading,
    view,
    with_others,
  }: { readonly reading: Reading; readonly view: number; readonly with_others: boolean },
): readonly Estimated[] {
  const others = entries.filter(({ person }) => person >= attacked_people);
  const estimators = codes.map((code) => {
    if (job[code] === undefined && !with_others) return () => unknown;
    const say = (entry: Entry) =>
      `${entry.tier} ${reading.disclosed.has(entry)} ${readTrait(entry, code, reading)}`;
    const slot = toTraitSlot(code);
    const known = new Map(
      [...Map.groupBy(others, say)].map(([said, group]) => [
        said,
        summarise(group.map(({ vector }) => vector.mean[slot]!)),
      ]),
    );
    return (entry: Entry) => known.get(say(entry)) ?? unknown;
  });
  return entries
    .filter(({ person }) => person < attacked_people)
    .map((entry, place) => ({
      entry,
      view,
      place,
      estimates: estimators.map((estimate) => estimate(entry)),
    }));
}

/** What is known of anybody: the average of the population and the variance in it. */
const unknown: Estimate = { mean: 0, variance: 1 };

/** Summarises the values of people, with the weight of one person for the population. */
function summarise(values: readonly number[]): Estimate {
  const count = values.length + 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, unknown.variance);
  return { mean, variance: squares / count };
}

/**
 * Joins people by a key, and takes for each trait the list that leaves least open. Every entry of a list counts as much as any other, so that keys which
 * join more are not judged by other people. @returns the correlation with the measured traits.
 */
function joinEstimates(known: readonly Estimated[], codes: readonly TraitCode[], key: Key): number {
  const pairs = [...Map.groupBy(known, key).values()].flatMap((joined) => {
    const views = [...Map.groupBy(joined, ({ view }) => view).values()];
    const estimates = codes.map((_, index) =>
      chooseSurest(views.map((view) => mergeEstimates(view.map((each) => each.estimates[index]!)))),
    );
    return joined.flatMap(({ entry: { vector } }) =>
      codes.map((code, index) => [estimates[index]!.mean, vector.mean[toTraitSlot(code)]!] as const),
    );
  });
  return computeCorrelation(
    pairs.map(([estimate]) => estimate),
    pairs.map(([, actual]) => actual),
  );
}

/** Merges the estimates of several people in a list who look the same: the attacker wants one of them. */
function mergeEstimates(estimates: readonly Estimate[]): Estimate {
  const mean = average(estimates.map((each) => each.mean));
  return { mean, variance: average(estimates.map((each) => each.variance + (each.mean - mean) ** 2)) };
}

function chooseSurest(estimates: readonly Estimate[]): Estimate {
  return estimates.reduce((surest, each) => (each.variance < surest.variance ? each : surest));
}
