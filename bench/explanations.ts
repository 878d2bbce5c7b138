import { isTraitCode, type TraitPriorities } from '#modules/measurement/traits';
import { integrityTraits } from '../src/modules/matching/matches/explanations/described-traits.ts';
import { listPopulations, type Population } from './explanations/populations.ts';
import { measureAttack } from './explanations/probing.ts';
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
    tables: [compareExplanations(populations), compareAttacks(populations)],
    notes: [
      `The people: ${populations.map(({ name, people }) => `${people.length} ${name}`).join(', ')}. Limit of r: 0.2, of ${codes.length} traits.`,
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

/** What an organisation asks one after the other to recognise people. */
const series: Readonly<Record<string, readonly TraitPriorities[]>> = {
  [`a job changed ${versions.length} times`]: versions,
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

function formatNumber(value: number): string {
  return value.toFixed(2);
}
