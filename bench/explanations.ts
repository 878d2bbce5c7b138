import { isTraitCode, toTraitSlot, type TraitPriorities } from '#modules/measurement/traits';
import { integrityTraits } from '../src/modules/matching/matches/explanations/described-traits.ts';
import { listPopulations, type Population } from './explanations/populations.ts';
import { measureAttack, measureWithheld } from './explanations/probing.ts';
import { listMatches, listTiers, type Entry, type Shortlist } from './explanations/shortlists.ts';
import {
  planDisclosures,
  discloseEverything,
  discloseNothing,
  type Disclosed,
} from './explanations/disclosures.ts';
import type { Benchmark, Table } from './lib/report.ts';

/** Jobs with two to five priorities. Together they ask for the fourteen traits that real people were measured in; two of them ask most for integrity. */
const jobs: Readonly<Record<string, TraitPriorities>> = {
  'two traits': { analytical_depth: 1, persistence: 0.8 },
  'two, integrity first': { accountability: 1, social_initiative: 0.9 },
  'three traits': { empathic_attunement: 1, collaborative_orientation: 0.8, pressure_response: 0.6 },
  'four traits': {
    analytical_depth: 0.9,
    collaborative_orientation: 0.8,
    persistence: 0.6,
    change_agility: 0.5,
  },
  'five traits': {
    exploratory_curiosity: 1,
    autonomy_drive: 0.9,
    change_agility: 0.8,
    achievement_drive: 0.7,
    persistence: 0.6,
  },
  'five, integrity first': {
    sincerity: 1,
    structure_preference: 0.9,
    recovery_resilience: 0.8,
    empathic_attunement: 0.7,
    pressure_response: 0.5,
  },
};

const codes = [...new Set(Object.values(jobs).flatMap(Object.keys))].filter(isTraitCode);

const describable = codes.filter((code) => !integrityTraits.has(code));

/**
 * The versions of a job that is changed again and again: each asks most for another trait, and all ask for the same four, by which an organisation may
 * recognise a person in the next version.
 */
const versions: readonly TraitPriorities[] = describable
  .filter((code) => !Object.hasOwn(jobs['four traits']!, code))
  .map((code) => ({ [code]: 1, ...jobs['four traits'] }));

/** The versions of a job that asks for three traits, of which two stay the same. */
const small: readonly TraitPriorities[] = versions.map((version) => ({
  [Object.keys(version)[0]!]: 1,
  analytical_depth: 0.9,
  persistence: 0.8,
}));

/** Jobs that ask for one trait each, as many as the lowest tier may have. */
const narrow: readonly TraitPriorities[] = Array.from({ length: 25 }, (_, place) => ({
  [describable[place % describable.length]!]: 1,
}));

/**
 * Counts how many different explanations an organisation reads among the first people of a tier, in detail and otherwise, and how far they let
 * it reconstruct traits, in one list and in many. It measures no time.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const populations = await listPopulations(quick);
  return {
    title: 'What explanations tell people apart by',
    tables: [compareExplanations(populations), compareLimits(populations), compareAttacks(populations)],
    notes: [
      `The people: ${populations.map(({ name, people }) => `${people.length} ${name}`).join(', ')}. Limit of r: 0.2, of ${codes.length} traits.`,
      `For 30 different ones of 40, ${countNeeded(30, 40)} equally frequent ones are needed.`,
      ...(populations.length > 1 ? [] : ['Real people are skipped: BENCH_DATA names the folder with them.']),
    ],
  };
};

function compareExplanations(populations: readonly Population[]): Table {
  return {
    head: [
      'people',
      'job',
      'tiers',
      'different of 40, two traits',
      'in detail',
      'fewest of a tier',
      'r, tiers alone',
      'r, two traits',
      'r, in detail',
    ],
    rows: populations.flatMap((population) => {
      const lists = Object.entries(jobs).map(([name, job]) => [name, listMatches(population, job)] as const);
      return lists.map(([name, list]) => [
        population.name,
        name,
        ...countDifferent(list),
        formatNumber(measureAttack([list], codes, { words: false, disclosed: discloseNothing }).alone),
        ...[discloseNothing, discloseEverything([list])].map((disclosed) =>
          formatNumber(measureAttack([list], codes, { words: true, disclosed }).alone),
        ),
      ]);
    }),
  };
}

/** Counts the tiers with enough people, and the different explanations in a tier: on average without and with details, and the fewest with them. */
function countDifferent(list: Shortlist): readonly string[] {
  const tiers = listTiers(list);
  if (tiers.length === 0) return ['0', '', '', ''];
  const count = (write: (entry: Entry) => unknown) =>
    tiers.map((tier) => new Set(tier.map((entry) => JSON.stringify(write(entry)))).size);
  const average = (counts: readonly number[]) =>
    (counts.reduce((sum, each) => sum + each, 0) / counts.length).toFixed(1);
  const detailed = count(({ detail }) => detail);
  return [
    String(tiers.length),
    average(count(({ words }) => words)),
    average(detailed),
    String(Math.min(...detailed)),
  ];
}

/**
 * Shows what would tell people apart further: numbers instead of words, the mean of each described trait to a tenth of a deviation. Of a tier, the fewest
 * different ones are shown, and as how many equally frequent ones its explanations tell people apart.
 */
function compareLimits(populations: readonly Population[]): Table {
  return {
    head: [
      'people',
      'job',
      'fewest of a tier, in detail',
      'by numbers',
      'as equally frequent ones',
      'r, in detail',
      'r, by numbers',
      'r of what is withheld, two traits',
      'in detail',
    ],
    rows: populations.flatMap((population) =>
      ['two traits', 'two, integrity first', 'three traits'].map((name) => {
        const list = listMatches(population, jobs[name]!);
        const disclosed = discloseEverything([list]);
        const [words, numbers] = [sayInWords, sayInNumbers].map((say) =>
          Math.min(...listTiers(list).map((tier) => new Set(tier.map(say)).size)),
        );
        const frequent = Map.groupBy(list.entries, ({ tier }) => tier).values();
        const attack = (in_numbers: boolean) =>
          formatNumber(measureAttack([list], codes, { words: true, disclosed, numbers: in_numbers }).alone);
        return [
          population.name,
          name,
          String(words),
          String(numbers),
          Math.min(...[...frequent].filter(({ length }) => length >= 40).map(countFrequent)).toFixed(0),
          attack(false),
          attack(true),
          ...[discloseNothing, disclosed].map((each) =>
            formatNumber(measureWithheld(list, { words: true, disclosed: each })),
          ),
        ];
      }),
    ),
  };
}

function sayInWords({ detail }: Entry): string {
  return JSON.stringify(detail);
}

function sayInNumbers({ detail, standings, vector }: Entry): string {
  const means = standings.map(({ code }) => vector.mean[toTraitSlot(code)]!.toFixed(1));
  return `${detail.confidence_statement} ${means.join(' ')}`;
}

/** Counts as how many equally frequent explanations those of a tier tell people apart: two to the power of their entropy. */
function countFrequent(tier: readonly Entry[]): number {
  const shares = [...Map.groupBy(tier, sayInWords).values()].map(({ length }) => length / tier.length);
  return 2 ** -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}

/** Counts how many equally frequent explanations are needed so that the first people of a tier are expected to read as many different ones. */
function countNeeded(different: number, people: number): number {
  let count = different;
  while (count * (1 - (1 - 1 / count) ** people) < different) count += 1;
  return count;
}

/** What an organisation asks one after the other to recognise people. */
const series: Readonly<Record<string, readonly TraitPriorities[]>> = {
  [`a job changed ${versions.length} times`]: versions,
  [`a job of three changed ${small.length} times`]: small,
  [`${narrow.length} narrow jobs`]: narrow,
};

const unlimited = Infinity;

/** How the details are given: never, by the rule of the service, and by weaker rules, of which each shows what a part of the rule is for. */
const rules: Readonly<Record<string, (lists: readonly Shortlist[]) => Disclosed>> = {
  'two traits only': () => discloseNothing,
  'once, fifty a tier': (lists) => planDisclosures(lists, { disclosed_max: 50, years: 1 }),
  'once, everybody (as in a small installation)': (lists) =>
    planDisclosures(lists, { disclosed_max: unlimited, years: 1 }),
  ...Object.fromEntries(
    [2, 4, 8].map((years) => [
      `once a year, in ${years} years`,
      (lists: readonly Shortlist[]) => planDisclosures(lists, { disclosed_max: unlimited, years }),
    ]),
  ),
  'in every list': discloseEverything,
};

function compareAttacks(populations: readonly Population[]): Table {
  return {
    head: [
      'people',
      'asked',
      'details',
      'nobody joined',
      'joined by what is read',
      'joined by ids',
      'described in the first, fourth and eighth list',
    ],
    rows: populations.flatMap((population) =>
      Object.entries(series).flatMap(([name, asked]) => {
        const lists = asked.map((job) => listMatches(population, job));
        return Object.entries(rules).map(([rule, disclose]) => {
          const disclosed = disclose(lists);
          const found = measureAttack(lists, codes, { words: true, disclosed });
          return [
            population.name,
            name,
            rule,
            ...Object.values(found).map(formatNumber),
            countDescribed(lists, disclosed),
          ];
        });
      }),
    ),
  };
}

/** Counts about how many people some of the lists say details. */
function countDescribed(lists: readonly Shortlist[], disclosed: Disclosed): string {
  return [0, 3, 7]
    .map((place) => lists[place]!.entries.filter((entry) => disclosed.has(entry)).length)
    .join(', ');
}

function formatNumber(value: number | undefined): string {
  return value === undefined ? '' : value.toFixed(2);
}
