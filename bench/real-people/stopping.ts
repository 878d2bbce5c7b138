import { computeCorrelation, computeNormalAverage, getItemCurves, normalCdf } from '@tessera/psychometrics';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { computeFit, computeFitWeights, computeTier, type FitWeights } from '#modules/matching/engine';
import { readTemplates } from '#modules/matching/jobs';
import { builtInNorms, itemBank, traitCodes } from '#modules/measurement/traits';
import { findStatement } from '../../src/modules/measurement/traits/items/bank.ts';
import type { Answer } from '../../src/modules/measurement/traits/items/item.ts';
import { hasEligiblePlace } from '../../src/modules/measurement/traits/measurement/eligible-statements.ts';
import {
  chooseNextItem,
  stoppingRule,
  type ChoiceOptions,
} from '../../src/modules/measurement/traits/measurement/next-item.ts';
import {
  computeMarginals,
  computePosterior,
} from '../../src/modules/measurement/traits/measurement/posterior.ts';
import {
  simulateMember,
  simulateOption,
  type SimulatedMember,
} from '../../src/modules/measurement/traits/measurement/simulated-member.ts';
import { claimPosition } from '../../src/modules/measurement/traits/measurement/trait-words.ts';
import { formatPercent, type Table } from '../lib/report.ts';
import { onetDir } from '../lib/shared-data.ts';
import { average } from './people.ts';

type Estimate = { readonly mean: readonly number[]; readonly variance: readonly number[] };

/** The probabilities of a change below which a trait is done. */
const limits = [0.4, 0.3, 0.2, 0.1, 0.05] as const;

/** Never settled: members end at the most items, or where nothing is left that they can get. */
const endless = { ...stoppingRule, word_gain: 0 };

/**
 * Compares today's end of an assessment with one that asks whether the statements left would change anything that is read: a trait is done once
 * the probability that all of them together change its word, its certainty or the tier of an occupation is below a limit.
 */
export async function compareStopping(quick: boolean): Promise<Table> {
  const templates = await readTemplates(onetDir);
  const jobs = templates
    .filter((_, index) => index % (quick ? 300 : 150) === 0)
    .map(({ trait_priorities }) => computeFitWeights(trait_priorities, builtInNorms));
  const random = createSeededRandom(11);
  const people = Array.from({ length: quick ? 6 : 60 }, () => simulateMember(random));
  const complete = people.map((member, index) => assess(member, index, { rule: endless }));
  const rows = [
    ['today', complete.map((_, index) => assess(people[index]!, index, {}))] as const,
    ...limits.map(
      (limit) =>
        [
          `a change is less probable than ${formatPercent(limit)}`,
          people.map((member, index) => assess(member, index, { jobs, limit })),
        ] as const,
    ),
    ['all that a member can get', complete] as const,
  ];
  return {
    head: [
      `a trait is done if, ${people.length} simulated members, ${jobs.length} occupations`,
      'answers',
      'r with the true values',
      'lowest trait',
      'claims as with all',
      'tiers as with all',
      'ms an answer',
    ],
    rows: rows.map(([name, runs]) => [name, ...describe(runs, complete, people, jobs)]),
  };
}

type Run = { readonly answers: readonly Answer[]; readonly estimate: Estimate; readonly ms: number };

type End = {
  readonly rule?: typeof stoppingRule;
  readonly jobs?: readonly FitWeights[];
  readonly limit?: number;
};

function assess(member: SimulatedMember, index: number, { rule, jobs, limit }: End): Run {
  const [answers, seed, random]: [Answer[], string, () => number] = [
    [],
    `stopping-${index}`,
    createSeededRandom(index + 1),
  ];
  // A statement has one answer of this member, in any order.
  const drawn = new Map(itemBank.graded.map((item) => [item.id, simulateOption(member, item, random)]));
  const started = performance.now();
  const choose = () => {
    if (jobs === undefined || limit === undefined)
      return chooseNextItem(answers, seed, itemBank, rule && { rule });
    const done = new Set(listDone(answers, seed, jobs, limit));
    const mayAsk: ChoiceOptions<(typeof itemBank.traits)[number]>['mayAsk'] = ({ trait }) => !done.has(trait);
    return chooseNextItem(answers, seed, itemBank, { rule: endless, mayAsk });
  };
  for (let item = choose(); item !== undefined; item = choose())
    answers.push({ item_id: item.id, option: drawn.get(item.id) ?? 0 });
  const ms = (performance.now() - started) / (answers.length + 1);
  const { mean, variance } = computePosterior(answers);
  return { answers, estimate: { mean, variance }, ms };
}

/** Lists the traits whose remaining statements are unlikely to change anything that is read. */
function listDone(
  answers: readonly Answer[],
  seed: string,
  jobs: readonly FitWeights[],
  limit: number,
): readonly string[] {
  const marginals = computeMarginals(answers, itemBank);
  const now = {
    mean: marginals.map(({ mean }) => mean),
    variance: marginals.map(({ variance }) => variance),
  };
  const tiers = jobs.map((job) => readTier(job, now));
  const asked = new Set(answers.map(({ item_id }) => item_id));
  return itemBank.traits.filter((trait, slot) => {
    const all = itemBank.gradedByTrait.get(trait)!;
    const before = all.filter(({ id }) => asked.has(id)).length;
    if (before < stoppingRule.fewest_items_a_trait) return false;
    const share = Math.min(
      1,
      Math.max(stoppingRule.eligible_share, stoppingRule.fewest_eligible / all.length),
    );
    const { mean, variance } = marginals[slot]!;
    const information = all
      .filter(({ id }) => !asked.has(id) && hasEligiblePlace(id, trait, seed, itemBank, share))
      .map((item) => computeNormalAverage(getItemCurves(item).information, mean, variance))
      .reduce((sum, each) => sum + each, 0);
    const after = variance / (1 + variance * information);
    return computeChange(slot, after, now, { jobs, tiers }) < limit;
  });
}

/** The medians of nine equally probable parts of the standard normal distribution. */
const movements = [-1.5932, -0.9674, -0.5895, -0.2822, 0, 0.2822, 0.5895, 0.9674, 1.5932] as const;

type Tiers = { readonly jobs: readonly FitWeights[]; readonly tiers: readonly string[] };

/** Computes the probability of another claim about a trait, or of another tier where that is higher, once its variance is reduced to `after`. */
function computeChange(slot: number, after: number, now: Estimate, { jobs, tiers }: Tiers): number {
  const [mean, variance] = [now.mean[slot]!, now.variance[slot]!];
  const claim = readClaim(mean, variance);
  const spread = Math.sqrt(variance - after);
  let [claims, labels] = [0, 0];
  for (const move of movements) {
    const then = {
      mean: now.mean.with(slot, mean + spread * move),
      variance: now.variance.with(slot, after),
    };
    claims += Number(readClaim(then.mean[slot]!, after) !== claim);
    labels += average(jobs.map((job, index) => Number(readTier(job, then) !== tiers[index])));
  }
  return Math.max(claims, labels) / movements.length;
}

function readClaim(mean: number, variance: number): string {
  const half = 1.96 * Math.sqrt(variance);
  const { word, certainty } = claimPosition({
    score: normalCdf(mean),
    confidence: Math.max(0, 1 - variance),
    lower_bound: normalCdf(mean - half),
    upper_bound: normalCdf(mean + half),
  });
  return `${certainty} ${word}`;
}

function readTier(job: FitWeights, { mean, variance }: Estimate): string {
  const fit = computeFit(job, toSlots(mean), toSlots(variance));
  return computeTier(fit.mean, fit.sd, job.shared_sd);
}

const places = traitCodes.map((code) => itemBank.traits.findIndex((trait) => trait === code));

function toSlots(values: readonly number[]): readonly number[] {
  return places.map((place) => values[place] ?? 0);
}

function describe(
  runs: readonly Run[],
  complete: readonly Run[],
  people: readonly SimulatedMember[],
  jobs: readonly FitWeights[],
): readonly string[] {
  const r = itemBank.traits.map((_, slot) =>
    computeCorrelation(
      runs.map(({ estimate }) => estimate.mean[slot]!),
      people.map(({ traits }) => traits[slot]!),
    ),
  );
  const claims = runs.flatMap(({ estimate: { mean, variance } }, index) =>
    mean.map((value, slot) => {
      const all = complete[index]!.estimate;
      return Number(readClaim(value, variance[slot]!) === readClaim(all.mean[slot]!, all.variance[slot]!));
    }),
  );
  const tiers = runs.flatMap(({ estimate }, index) =>
    jobs.map((job) => Number(readTier(job, estimate) === readTier(job, complete[index]!.estimate))),
  );
  const statements = runs.map(
    ({ answers }) => answers.filter(({ item_id }) => findStatement(itemBank, item_id)).length,
  );
  return [
    average(statements).toFixed(1),
    average(r).toFixed(3),
    Math.min(...r).toFixed(3),
    formatPercent(average(claims)),
    formatPercent(average(tiers)),
    average(runs.map(({ ms }) => ms)).toFixed(1),
  ];
}
