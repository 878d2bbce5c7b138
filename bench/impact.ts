import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { cholesky, computeExactTest, flattenRows, multiplyFactor } from '@tessera/psychometrics';
import { createSeededRandom, drawStandardNormal, type Random } from '@tessera/psychometrics/seeded-random';
import { computeFit, computeFitWeights, computeTier } from '#modules/matching/engine';
import { readTemplates } from '#modules/matching/jobs';
import { builtInNorms, traitCodes, type TraitNorms, type TraitPriorities } from '#modules/measurement/traits';
import { computeLowestRatio, type Groups } from '../src/modules/matching/impact/computing/compute-impact.ts';
import { findAlternatives } from '../src/modules/matching/impact/computing/find-alternatives.ts';
import {
  addToGroup,
  createGroupSums,
  toMoments,
  type GroupMoments,
  type MeasuredTraits,
} from '../src/modules/matching/impact/computing/group-moments.ts';
import { readAnswersCsv } from '../src/modules/measurement/traits/calibration/answers-csv.ts';
import { computePosterior } from '../src/modules/measurement/traits/measurement/posterior.ts';
import { calibrateWith, nearestScales, spiFiles, splitAlternately } from './lib/answers.ts';
import { formatPercent, type Benchmark, type Report, type Table } from './lib/report.ts';
import { onetDir, requireData } from './lib/shared-data.ts';

const title = 'Impact of priorities on groups of real people, with the alternatives that are offered';

/** The correlations of the built-in norms. The items are calibrated, so hardly any error is shared. */
const norms: TraitNorms = { ...builtInNorms, shared_errors: traitCodes.map(() => 0) };

type Person = MeasuredTraits & { readonly sex: string | null; readonly age: string | null };
type GroupBy = (person: Person) => string | null;

const getSex: GroupBy = ({ sex }) => sex;
const getAge: GroupBy = ({ age }) => age;

/**
 * Judges alternatives on people from whom they were not made: a random half of 2,600 people is measured as the service does, the other half is counted. Then it shows how far the number of
 * measured people limits the result, with people who are drawn from the moments of the real ones.
 */
export const runBenchmark: Benchmark = requireData(title, async ({ quick }): Promise<Report> => {
  const people = await readPeople();
  const templates = await readTemplates(onetDir);
  const every = Math.floor(templates.length / (quick ? 10 : 220));
  const jobs = templates
    .filter((_, index) => index % every === 0)
    .slice(0, 220)
    .map(({ trait_priorities }) => keepMapped(trait_priorities));
  const halves = Array.from({ length: quick ? 1 : 4 }, (_, index) => splitPeople(people, index + 1));
  return {
    title,
    tables: [
      comparePredictions(halves, jobs),
      await judgeOnOthers(halves, jobs),
      await judgeBothAttributes(halves[0]!, jobs),
      await drawCurve(
        people,
        jobs.filter((_, index) => index % 2 === 0),
      ),
    ],
    notes: [
      `${jobs.length} occupations, 14 traits; items calibrated with one half. "By lot": the sexes are drawn by lot, so that no difference exists; what is below four fifths then is chance.`,
      '"Significant": below four fifths, and Fisher\'s exact test below 0.05, as in the bias report.',
    ],
  };
});

async function readPeople(): Promise<readonly Person[]> {
  const { bank, answerSets } = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  const rows = parse(await readFile(spiFiles.answers), { columns: true }) as Readonly<
    Record<string, string>
  >[];
  if (rows.length !== answerSets.length) throw new Error('Some people have no answers.');
  const calibrated = calibrateWith(bank, splitAlternately(answerSets)[0]);
  return answerSets.map((answers, index) => {
    const { mean, variance } = computePosterior(answers, calibrated);
    const read = (values: ArrayLike<number>, isSigned: boolean) =>
      traitCodes.map((code) => {
        const scale: string = nearestScales[code as keyof typeof nearestScales] ?? '';
        const value = values[bank.traits.indexOf(scale.replace('-', ''))] ?? 0;
        return isSigned && scale.startsWith('-') ? -value : value;
      });
    const { sex = '', age = '' } = rows[index]!;
    return {
      mean: read(mean, true),
      variance: read(variance, false),
      sex: sex === '' ? null : sex === '1' ? 'man' : 'woman',
      age: age === '' ? null : Number(age) < 25 ? 'under_25' : Number(age) < 40 ? '25_to_39' : '40_and_over',
    };
  });
}

function keepMapped(priorities: TraitPriorities): TraitPriorities {
  return Object.fromEntries(Object.entries(priorities).filter(([code]) => code in nearestScales));
}

type Halves = {
  readonly measured: readonly Person[];
  readonly judged: readonly Person[];
  readonly seed: number;
};

function splitPeople(people: readonly Person[], seed: number): Halves {
  const random = createSeededRandom(seed);
  const drawn = people.map((person) => ({ person, place: random() }));
  const shuffled = drawn.toSorted((one, other) => one.place - other.place).map(({ person }) => person);
  const half = Math.floor(people.length / 2);
  return { measured: shuffled.slice(0, half), judged: shuffled.slice(half), seed };
}

/** Adds people up as the service does. */
function measure(people: readonly Person[], getGroup: GroupBy): Groups {
  const named = Map.groupBy(people, getGroup);
  const groups = new Map<string, GroupMoments>();
  for (const [name, some] of named) {
    if (name === null) continue;
    const sums = createGroupSums();
    for (const person of some) addToGroup(sums, person);
    groups.set(name, toMoments(sums));
  }
  return groups;
}

/** Finds the priorities that an organisation has if it takes the last alternative that is offered, or only a near one. */
async function choose(job: TraitPriorities, attributes: readonly Groups[], isNear = false) {
  const offered = await findAlternatives(job, attributes, norms);
  return offered.findLast(({ distance }) => !isNear || distance === 'near')?.trait_priorities ?? job;
}

type Judgement = { readonly ratio: number; readonly isSignificant: boolean };

/** Counts who is rated strong or better, and compares the group with the fewest with the one with the most. */
function judge(people: readonly Person[], job: TraitPriorities, getGroup: GroupBy): Judgement {
  const weights = computeFitWeights(job, norms);
  const counts = new Map<string, { people: number; strong: number }>();
  for (const person of people) {
    const name = getGroup(person);
    if (name === null) continue;
    const count = counts.get(name) ?? { people: 0, strong: 0 };
    counts.set(name, count);
    const { mean, sd } = computeFit(weights, person.mean, person.variance);
    count.people += 1;
    count.strong += Number(['strong', 'exceptional'].includes(computeTier(mean, sd, weights.shared_sd)));
  }
  const sorted = [...counts.values()].toSorted(
    (one, other) => one.strong / one.people - other.strong / other.people,
  );
  const [low, high] = [sorted[0]!, sorted.at(-1)!];
  const { fisher } = computeExactTest({
    selected: low.strong,
    people: low.people,
    other_selected: high.strong,
    other_people: high.people,
  });
  const ratio = low.strong / low.people / (high.strong / high.people);
  return { ratio, isSignificant: ratio < 0.8 && fisher < 0.05 };
}

function computeCorrelation(people: readonly Person[], one: TraitPriorities, other: TraitPriorities): number {
  const [a, b] = [one, other].map((job) => {
    const weights = computeFitWeights(job, norms);
    const fits = people.map(({ mean, variance }) => computeFit(weights, mean, variance).mean);
    const centre = fits.reduce((sum, fit) => sum + fit, 0) / fits.length;
    return fits.map((fit) => fit - centre);
  }) as [number[], number[]];
  const multiply = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, index) => sum + value * y[index]!, 0);
  return multiply(a, b) / Math.sqrt(multiply(a, a) * multiply(b, b));
}

async function judgeOnOthers(halves: readonly Halves[], jobs: readonly TraitPriorities[]): Promise<Table> {
  const rows: Record<string, { judgements: Judgement[]; own: Judgement[]; correlations: number[] }> = {};
  for (const { measured, judged, seed } of halves) {
    const attributes = [measure(measured, getSex)];
    const lot = createSeededRandom(100 + seed);
    const drawn = judged.map((person) => ({ ...person, sex: person.sex && drawSex(lot) }));
    for (const job of jobs) {
      const add = (name: string, priorities: TraitPriorities, some = judged) => {
        const row = (rows[name] ??= { judgements: [], own: [], correlations: [] });
        row.judgements.push(judge(some, priorities, getSex));
        row.own.push(judge(measured, priorities, getSex));
        row.correlations.push(computeCorrelation(judged, job, priorities));
      };
      add('as set', job);
      add('near alternative', await choose(job, attributes, true));
      add('alternative', await choose(job, attributes));
      add('as set, sexes by lot', job, drawn);
    }
  }
  return {
    head: [`by sex, ${halves.length} random halves`, ...head],
    rows: Object.entries(rows).map(([name, row]) => [name, ...formatRow(row)]),
  };
}

/** Compares the ratios that follow from the moments of groups with those that are counted on the same people. */
function comparePredictions(halves: readonly Halves[], jobs: readonly TraitPriorities[]): Table {
  const errors = halves.flatMap(({ measured }) => {
    const groups = measure(measured, getSex);
    return jobs.map((job) => {
      const predicted = computeLowestRatio(computeFitWeights(job, norms), groups);
      return Math.abs(Math.log(judge(measured, job, getSex).ratio / predicted));
    });
  });
  return {
    head: ['difference of predicted and counted ratio, same people', 'median', '90th percentile'],
    rows: [['by sex', ...[0.5, 0.9].map((place) => formatPercent(findQuantile(errors, place)))]],
  };
}

const head = [
  'below four fifths, people who were not measured',
  'of these significant',
  'measured people',
  'r with the first, median',
  '10th percentile',
];

const drawSex = (random: Random) => (random() < 0.39 ? 'man' : 'woman');

function formatRow({
  judgements,
  own,
  correlations,
}: Readonly<Record<'judgements' | 'own', readonly Judgement[]>> & {
  readonly correlations: readonly number[];
}) {
  const share = (list: readonly Judgement[], is: (each: Judgement) => boolean) =>
    formatPercent(list.filter(is).length / list.length);
  const isBelow = ({ ratio }: Judgement) => ratio < 0.8;
  return [
    share(judgements, isBelow),
    share(judgements, ({ isSignificant }) => isSignificant),
    share(own, isBelow),
    findQuantile(correlations, 0.5).toFixed(3),
    findQuantile(correlations, 0.1).toFixed(3),
  ];
}

function findQuantile(values: readonly number[], place: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(place * (values.length - 1))]!;
}

async function judgeBothAttributes(
  { measured, judged }: Halves,
  jobs: readonly TraitPriorities[],
): Promise<Table> {
  const attributes = [measure(measured, getSex), measure(measured, getAge)];
  const some = jobs.filter((_, index) => index % 4 === 0);
  const chosen = await Promise.all(some.map((job) => choose(job, attributes)));
  const build = (name: string, priorities: readonly TraitPriorities[], getGroup: GroupBy) => [
    name,
    ...formatRow({
      judgements: priorities.map((each) => judge(judged, each, getGroup)),
      own: priorities.map((each) => judge(measured, each, getGroup)),
      correlations: priorities.map((each, index) => computeCorrelation(judged, some[index]!, each)),
    }),
  ];
  return {
    head: [`${some.length} occupations, sex and age (three groups) measured`, ...head],
    rows: [
      build('as set, by sex', some, getSex),
      build('alternative, by sex', chosen, getSex),
      build('as set, by age', some, getAge),
      build('alternative, by age', chosen, getAge),
    ],
  };
}

const draws = 22;

/** Measures drawn people of each sex, and judges by the moments from which they are drawn, so without chance among the judged. */
async function drawCurve(people: readonly Person[], jobs: readonly TraitPriorities[]): Promise<Table> {
  const truth = measure(people, getSex);
  const random = createSeededRandom(5);
  const rows: string[][] = [];
  for (const size of [50, 100, 250, 500, 1_000, 2_500, 5_000]) {
    const ratios: number[] = [];
    // The error of a measurement is common to all occupations, so each has several.
    for (let draw = 0; draw < draws; draw++) {
      const drawn = new Map([...truth].map(([name, moments]) => [name, drawMoments(moments, size, random)]));
      for (const job of jobs.filter((_, index) => index % draws === draw))
        ratios.push(computeLowestRatio(computeFitWeights(await choose(job, [drawn]), norms), truth));
    }
    rows.push([
      String(size),
      formatPercent(ratios.filter((ratio) => ratio < 0.8).length / ratios.length),
      findQuantile(ratios, 0.5).toFixed(2),
    ]);
  }
  const before = jobs.map((job) => computeLowestRatio(computeFitWeights(job, norms), truth));
  const below = formatPercent(before.filter((ratio) => ratio < 0.8).length / before.length);
  return {
    head: [
      'measured people of each sex (drawn)',
      `below four fifths in the population (as set: ${below})`,
      'median ratio',
    ],
    rows,
  };
}

function drawMoments({ mean, covariance, error }: GroupMoments, size: number, random: Random): GroupMoments {
  const root = cholesky(
    flattenRows(covariance.map((row, at) => row.map((cell, column) => cell + (at === column ? 1e-9 : 0)))),
  );
  const sums = createGroupSums();
  for (let index = 0; index < size; index++) {
    const values = multiplyFactor(
      root,
      mean.map(() => drawStandardNormal(random)),
    );
    addToGroup(sums, { mean: mean.map((centre, slot) => centre + values[slot]!), variance: error });
  }
  return toMoments(sums);
}
