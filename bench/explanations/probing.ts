import { computeCorrelation } from '@tessera/psychometrics';
import { toTraitSlot, traitCodes, type TraitCode } from '#modules/measurement/traits';
import { integrityTraits } from '../../src/modules/matching/matches/explanations/explanation-words.ts';
import { average } from '../real-people/people.ts';
import type { Entry, Shortlist } from './shortlists.ts';

/** Everything that an organisation reads about the people of one job: the tiers alone, with today's words, or with standings too. */
export const readings = {
  tiers: () => undefined,
  today: findState,
  standings: (entry: Entry, code: TraitCode) =>
    [findState(entry, code), findStanding(entry, code)].filter(Boolean).join(', ') || undefined,
} satisfies Record<string, (entry: Entry, code: TraitCode) => string | undefined>;

type Reading = (entry: Entry, code: TraitCode) => string | undefined;

function findState({ priorities }: Entry, code: TraitCode): string | undefined {
  return integrityTraits.has(code) ? undefined : priorities.find((priority) => priority.code === code)?.state;
}

function findStanding({ standings }: Entry, code: TraitCode): string | undefined {
  const found = standings.find(({ trait }) => trait === code);
  return found && `${found.standing} ${found.side}`;
}

/** The people of the installation that is attacked. Their lists are read to the end, and everybody else is what the attacker knows of the population. */
const attacked_people = 100;

/** How much an attack reconstructs: without joining anybody, by the best key, and by the real ids, which organisations do not read. */
export type Reconstruction = Readonly<Record<'alone' | 'joined' | 'by_id', number>>;

/**
 * Reconstructs traits as `probing-attacks.test.ts` does: joins what the lists say about a person by each key, and correlates all estimates of all
 * persons with their measured traits. `codes` are the traits to reconstruct. The attacker knows the population: the estimate of a trait that a job asks for is
 * the mean of the people about whom its list says the same, and any other trait is estimated by the average.
 */
export function measureAttack(
  lists: readonly Shortlist[],
  codes: readonly TraitCode[],
  read: Reading,
): Reconstruction {
  const known = lists.flatMap((list, view) => estimateTraits(list, codes, { read, view }));
  const joinBy = (key: Key) => joinEstimates(known, codes, key);
  return {
    alone: joinBy(({ view, place }) => `${view} ${place}`),
    joined: Math.max(...listKeys(lists, read).map(joinBy)),
    by_id: joinBy(({ entry }) => String(entry.person)),
  };
}

/** What an attacker may join people by across the lists of several jobs. */
type Key = (estimated: Estimated) => string;

/**
 * Lists what is equal for a person in several lists: what is said of the traits that all jobs ask for, alone or with the tier. Places and times are
 * attacked in `probing-attacks.test.ts`.
 */
function listKeys(lists: readonly Shortlist[], read: Reading): readonly Key[] {
  const common = traitCodes.filter((code) => lists.every(({ job }) => job[code] !== undefined));
  const say = (entry: Entry) => common.map((code) => read(entry, code) ?? '').join('; ');
  return [({ entry }) => say(entry), ({ entry }) => `${entry.tier} ${say(entry)}`];
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
  { read, view }: { readonly read: Reading; readonly view: number },
): readonly Estimated[] {
  const others = entries.filter(({ person }) => person >= attacked_people);
  const estimators = codes.map((code) => {
    if (job[code] === undefined) return () => unknown;
    const say = (entry: Entry) => `${entry.tier} ${read(entry, code) ?? ''}`;
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

/** Joins people by a key, and takes for each trait the list that leaves least open. @returns the correlation with the measured traits. */
function joinEstimates(known: readonly Estimated[], codes: readonly TraitCode[], key: Key): number {
  const pairs = [...Map.groupBy(known, key).values()].flatMap((joined) => {
    const views = [...Map.groupBy(joined, ({ view }) => view).values()];
    const estimates = codes.map((_, index) =>
      chooseSurest(views.map((view) => mergeEstimates(view.map((each) => each.estimates[index]!)))),
    );
    const persons = new Map(joined.map(({ entry }) => [entry.person, entry.vector]));
    return [...persons.values()].flatMap(({ mean }) =>
      codes.map((code, index) => [estimates[index]!.mean, mean[toTraitSlot(code)]!] as const),
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
