import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { normalCdf } from '@tessera/psychometrics';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeFit, computeFitWeights, computeTier, type FitWeights } from '#modules/matching/engine';
import { readTemplates } from '#modules/matching/jobs';
import { itemBank, traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { readAnswersCsv } from '../../src/modules/measurement/traits/calibration/answers-csv.ts';
import type { ItemBank } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { addParameterErrors } from '../../src/modules/measurement/traits/measurement/parameter-errors.ts';
import { computePosterior } from '../../src/modules/measurement/traits/measurement/posterior.ts';
import { buildTraitNorms } from '../../src/modules/measurement/traits/parameters/trait-norms.ts';
import { judgeAtRandom } from '../honest/real-people.ts';
import { calibrateWith, shuffle, spiFiles, splitAlternately } from '../lib/answers.ts';
import { formatPercent } from '../lib/report.ts';
import { onetDir } from '../lib/shared-data.ts';
import { average, type Figure, type RealPeople } from './people.ts';
import { buildScaleNorms, findScale, type Matrix, type Vector } from './tiers.ts';

/** The people of a first small calibration, and those whose tiers are compared before and after it. */
const [first_calibration, compared_people] = [200, 100];

/** The answers from which tiers are predicted: half of them. */
const predicted_from = 68;

/** The cuts of tiers. */
const cuts = [0.3, 1, 1.5] as const;

type Answers = readonly Answer[];

/** Compares predicted with held tiers in each group, and tiers before with those after a calibration with few people. */
export async function compareGroupTiers(people: RealPeople, quick: boolean): Promise<readonly Figure[]> {
  const templates = await readTemplates(onetDir);
  const priorities = templates
    .filter((_, index) => index % (quick ? 200 : 40) === 0)
    .map(({ trait_priorities }) => trait_priorities);
  const jobs = priorities.map((job) => computeFitWeights(job, buildScaleNorms(people.bank)));
  return [
    ...comparePredictions(people, jobs, await readGroups()),
    await compareCalibrations(people, priorities, quick ? 40 : compared_people),
  ];
}

/** The group of each person by sex, and by age, in the order of `RealPeople.others`. */
type Groups = Readonly<Record<string, readonly boolean[]>>;

async function readGroups(): Promise<Groups> {
  const rows: readonly Readonly<Record<string, string>>[] = parse(await readFile(spiFiles.answers, 'utf8'), {
    columns: true,
  });
  const [, others] = splitAlternately(rows);
  const ages = others.map(({ age }) => Number(age));
  return {
    men: others.map(({ sex }) => sex === '1'),
    women: others.map(({ sex }) => sex === '2'),
    'below 20': ages.map((age) => age > 0 && age < 20),
    '20 to 29': ages.map((age) => age >= 20 && age < 30),
    '30 to 39': ages.map((age) => age >= 30 && age < 40),
    '40 and older': ages.map((age) => age >= 40),
  };
}

/**
 * Predicts from half of the answers of each person how probable it is that the fit from all of them reaches each cut, and compares the mean with
 * how often it does. The fit from all has the variance that the other half removes.
 */
function comparePredictions(
  { bank, others }: RealPeople,
  jobs: readonly FitWeights[],
  groups: Groups,
): readonly Figure[] {
  const random = createSeededRandom(28);
  const gaps = others.map((answers) => {
    const part = readFits(
      computePosterior(shuffle(answers, random).slice(0, predicted_from), bank),
      bank,
      jobs,
    );
    const all = readFits(computePosterior(answers, bank), bank, jobs);
    return cuts.map((cut) =>
      average(
        all.map(({ mean, sd }, index) => {
          const before = part[index]!;
          const spread = Math.sqrt(Math.max(1e-9, before.sd ** 2 - sd ** 2));
          return normalCdf((before.mean - cut) / spread) - Number(mean >= cut);
        }),
      ),
    );
  });
  const everybody = { everybody: others.map(() => true), ...groups };
  return Object.entries(everybody).map(([name, isMember]) => {
    const own = gaps.filter((_, index) => isMember[index]);
    const points = cuts.map((_, place) => 100 * average(own.map((gap) => gap[place]!)));
    return {
      name: `predicted less held at 0.3, 1.0, 1.5: ${name} (${own.length})`,
      earlier: 'not measured',
      now: points.map((point) => point.toFixed(1)).join(', '),
      target: 'within 2 points',
    };
  });
}

/**
 * Counts how often a tier with parameters drawn like judgements is the tier with those that 200 people calibrated. Each side has its own errors of
 * parameters, correlations and shared errors of norms, as in the service.
 */
async function compareCalibrations(
  { others }: RealPeople,
  priorities: readonly TraitPriorities[],
  count: number,
): Promise<Figure> {
  const { bank, answerSets } = await readAnswersCsv(spiFiles.answers, spiFiles.key);
  const [half] = splitAlternately(answerSets);
  const banks = {
    before: judgeAtRandom(bank, half, createSeededRandom(5)),
    after: calibrateWith(bank, half.slice(0, first_calibration)),
  };
  const people = others.slice(0, count);
  const before = listTiers(people, banks.before, priorities, itemBank.covariance);
  const after = listTiers(people, banks.after, priorities);
  return {
    name: `tier the same before and after a calibration with ${first_calibration} people`,
    earlier: '69–73 %',
    now: formatPercent(average(before.map((tier, index) => Number(tier === after[index])))),
    target: '85 %',
  };
}

/** Lists the tiers of people in each occupation, by default with the correlations of the bank. */
function listTiers(
  people: readonly Answers[],
  bank: ItemBank<string>,
  priorities: readonly TraitPriorities[],
  own?: Matrix,
): readonly string[] {
  const norms = buildScaleNorms(bank, own && buildTraitNorms({ ...itemBank, covariance: own }).correlations);
  const jobs = priorities.map((job) => computeFitWeights(job, norms));
  return people.flatMap((answers) => {
    const posterior = addParameterErrors(computePosterior(answers, bank), answers, bank);
    return readFits(posterior, bank, jobs).map(({ mean, sd }, index) =>
      computeTier(mean, sd, jobs[index]!.shared_sd),
    );
  });
}

function readFits({ mean, variance }: Vector, bank: ItemBank<string>, jobs: readonly FitWeights[]) {
  const places = traitCodes.map((code) => findScale(bank.traits, code));
  const means = places.map((scale) => (scale ? scale.sign * mean[scale.place]! : 0));
  const variances = places.map((scale) => (scale ? variance[scale.place]! : 0));
  return jobs.map((job) => computeFit(job, means, variances));
}
