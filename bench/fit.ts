import path from 'node:path';
import { readTemplates } from '#modules/matching/jobs';
import { traitCodes, type TraitPriorities } from '#modules/measurement/traits';
import { approaches, chosenApproach, plainApproach, type Approach } from './fit/approaches.ts';
import { computeCriteria, targets, type Criteria } from './fit/criteria.ts';
import { measureRetests, type CalibrationBin } from './fit/labels.ts';
import {
  assumedModel,
  buildCorrelations,
  drawMembers,
  type PopulationModel,
  type SimulatedMember,
} from './fit/population.ts';
import { readRealAnswers, computeFactorPriorities } from './fit/real-answers.ts';
import { formatPercent, type Table } from './lib/report.ts';
import { dataDir, onetDir, requireData } from './lib/shared-data.ts';

const title = 'Fits that tell members apart';

/**
 * Compares ways to compute fits by what they do to members and occupations, in simulation and with real answers, and checks the confidence of
 * labels by a simulated retest. It measures no time.
 */
export const runBenchmark = requireData(title, async ({ quick }) => {
  const templates = await readTemplates(onetDir);
  const current = templates.map(({ trait_priorities }) => toVector(trait_priorities));
  const members = drawMembers(assumedModel, quick ? 200 : 1_500, 1);
  const tables = [
    compareApproaches(current, members),
    compareAssumptions(current, quick ? 200 : 1_500),
    await compareOnRealAnswers(current),
    ...describeLabels(
      templates.filter((_, index) => index % 10 === 0).map(({ trait_priorities }) => trait_priorities),
      quick ? 5 : 100,
    ),
    { head: ['trait', 'mean priority of all occupations'], rows: listTypicalPriorities(current) },
  ];
  return { title, tables, notes };
});

const notes = [
  'A member is never moderate if no occupation gives that tier. The top tenth are the members with the most strong or better labels, and a strong label is',
  'false if the true fit is below its cut. Targets: at most 0.5 between occupations, 8 % never moderate, 40 % for the top tenth, 10 % false.',
];

const criteriaHead = [
  'between occupations',
  'with the level',
  'never moderate',
  'top tenth',
  'false strong',
  'strong',
  'no fit above average',
  'targets met',
];

function toVector(priorities: TraitPriorities): Float64Array {
  return Float64Array.from(traitCodes, (code) => priorities[code] ?? 0);
}

function compareApproaches(jobs: readonly Float64Array[], members: readonly SimulatedMember[]): Table {
  const correlations = buildCorrelations(assumedModel);
  const sample = members.slice(0, 1_000).map(({ truth }) => truth);
  return {
    head: ['approach', ...criteriaHead],
    rows: approaches.map((approach) => [
      approach.name,
      ...formatCriteria(computeCriteria(approach.prepare(jobs, correlations, sample), members)),
    ]),
  };
}

/** Compares fixed with estimated correlations in populations that differ from what the engine assumes. */
function compareAssumptions(jobs: readonly Float64Array[], size: number): Table {
  const models: readonly (readonly [string, PopulationModel])[] = [
    ['correlations of 0.25 across families', { within: 0.4, across: 0.25, style: 0 }],
    ['a favourable style with a standard deviation of 0.4', { ...assumedModel, style: 0.4 }],
  ];
  const rows = models.flatMap(([what, model]) => {
    const members = drawMembers(model, size, 2);
    const sample = members.slice(0, 1_000).map(({ truth }) => truth);
    const estimated = buildCorrelations(model);
    const measure = (approach: Approach, correlations = buildCorrelations(assumedModel)) =>
      formatCriteria(computeCriteria(approach.prepare(jobs, correlations, sample), members));
    return [
      [what, plainApproach.name, 'fixed', ...measure(plainApproach)],
      [what, plainApproach.name, 'estimated', ...measure(plainApproach, estimated)],
      [what, chosenApproach.name, 'fixed', ...measure(chosenApproach)],
      [what, chosenApproach.name, 'estimated', ...measure(chosenApproach, estimated)],
    ];
  });
  return { head: ['population', 'approach', 'correlations', ...criteriaHead], rows };
}

async function compareOnRealAnswers(jobs: readonly Float64Array[]): Promise<Table> {
  const { members, correlations } = await readRealAnswers(path.join(dataDir, 'bfi', 'bfi-calibration.csv'));
  const reduced = jobs.map(computeFactorPriorities).filter((job) => job.some((weight) => weight > 0));
  const sample = members.map(({ truth }) => truth);
  return {
    head: [`${members.length} real people, five factors, half of the items`, ...criteriaHead],
    rows: approaches.map((approach) => [
      approach.name,
      ...formatCriteria(computeCriteria(approach.prepare(reduced, correlations, sample), members)),
    ]),
  };
}

function formatCriteria(criteria: Criteria): readonly string[] {
  const met = Object.entries(targets).filter(([name, limit]) => criteria[name as keyof Criteria] <= limit);
  return [
    criteria.between_jobs.toFixed(2),
    criteria.with_level.toFixed(2),
    formatPercent(criteria.never_moderate),
    formatPercent(criteria.top_tenth),
    formatPercent(criteria.false_strong),
    formatPercent(criteria.strong),
    formatPercent(criteria.without_any),
    `${met.length} of ${Object.keys(targets).length}`,
  ];
}

function describeLabels(jobs: readonly TraitPriorities[], members: number): readonly Table[] {
  const { bins, levels, total } = measureRetests(jobs, members);
  const formatBin = ({ count, predicted, same }: CalibrationBin) => [
    formatPercent(count / total.count),
    formatPercent(predicted / count),
    formatPercent(same / count),
  ];
  const head = ['share of labels', 'predicted to hold', 'held'];
  return [
    {
      head: [`predicted probability, ${members} members assessed twice`, ...head],
      rows: bins.flatMap((bin, index) =>
        bin.count === 0 ? [] : [[`${index / 10} to ${(index + 1) / 10}`, ...formatBin(bin)]],
      ),
    },
    {
      head: ['confidence level', ...head],
      rows: [...levels, ['all', total] as const]
        .filter(([, bin]) => bin.count > 0)
        .map(([level, bin]) => [level, ...formatBin(bin)]),
    },
  ];
}

/** Lists the constants that `engine/fit.ts` contains, so that a change of the templates shows here. */
function listTypicalPriorities(jobs: readonly Float64Array[]): readonly (readonly string[])[] {
  return traitCodes.map((code, slot) => [
    code,
    (jobs.reduce((sum, job) => sum + job[slot]!, 0) / jobs.length).toFixed(2),
  ]);
}
