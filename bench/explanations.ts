import { isTraitCode, type TraitPriorities } from '#modules/measurement/traits';
import { integrityTraits } from '../src/modules/matching/matches/explanations/explanation-words.ts';
import { listPopulations, type Population } from './explanations/populations.ts';
import { measureAttack, readings, type Reconstruction } from './explanations/probing.ts';
import { listMatches, listTiers, type Entry, type Shortlist } from './explanations/shortlists.ts';
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

/**
 * The versions of a job that is changed again and again: each asks most for another trait, and all ask for the same four, by which an organisation may
 * recognise a person in the next version.
 */
const versions: readonly TraitPriorities[] = codes
  .filter((code) => !integrityTraits.has(code) && !Object.hasOwn(jobs['four traits']!, code))
  .map((code) => ({ [code]: 1, ...jobs['four traits'] }));

/**
 * Counts how many different explanations an organisation reads among the first people of a tier, today and with standings, and how far they let
 * it reconstruct traits. It measures no time.
 */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const populations = await listPopulations(quick);
  return {
    title: 'What explanations tell people apart by',
    tables: [compareExplanations(populations)],
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
      'different of 40, today',
      'with standings',
      'r, tiers alone',
      'r, today',
      'r, with standings',
    ],
    rows: populations.flatMap((population) => {
      const lists = Object.entries(jobs).map(([name, job]) => [name, listMatches(population, job)] as const);
      const all = lists.map(([, list]) => list);
      const changed = versions.map((job) => listMatches(population, job));
      const changes = `a job changed ${versions.length} times`;
      return [
        ...lists.map(([name, list]) => [name, ...countDifferent([list]), ...formatAttack([list], 'alone')]),
        ['all six', ...countDifferent(all), ...formatAttack(all, 'alone')],
        [`${changes}, nobody joined`, ...countDifferent(changed), ...formatAttack(changed, 'alone')],
        [`${changes}, joined by what is read`, '', '', '', ...formatAttack(changed, 'joined')],
        [`${changes}, joined by ids that nobody reads`, '', '', '', ...formatAttack(changed, 'by_id')],
      ].map((row) => [population.name, ...row]);
    }),
  };
}

/** Counts the tiers with enough people, and the different explanations in a tier on average. */
function countDifferent(lists: readonly Shortlist[]): readonly string[] {
  const tiers = lists.flatMap(listTiers);
  if (tiers.length === 0) return ['0', '', ''];
  const count = (write: (entry: Entry) => unknown) => {
    const counts = tiers.map((tier) => new Set(tier.map((entry) => JSON.stringify(write(entry)))).size);
    return (counts.reduce((sum, each) => sum + each, 0) / counts.length).toFixed(1);
  };
  return [
    String(tiers.length),
    count(({ words }) => words),
    count(({ words, standings }) => [words, standings]),
  ];
}

function formatAttack(lists: readonly Shortlist[], kind: keyof Reconstruction): readonly string[] {
  return Object.values(readings).map((read) => measureAttack(lists, codes, read)[kind].toFixed(2));
}
