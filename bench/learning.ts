import { createSeededRandom, drawStandardNormal } from '#lib/seeded-random.ts';
import { neutralMultipliers } from '#modules/matching';
import {
  computeChoiceProbabilities,
  estimateValue,
} from '../src/modules/learning/estimation/estimate-gain.ts';
import {
  feature_count,
  joinOutcomes,
  logistic,
  type Outcomes,
} from '../src/modules/learning/estimation/features.ts';
import { buildPrior, fitOutcomes } from '../src/modules/learning/estimation/fit-outcomes.ts';
import {
  computeTruth,
  createWorld,
  drawCandidates,
  exploration,
  fitChoices,
  isPlantPromoted,
  placeOne,
  simulateLoop,
} from '../test/simulation/learning.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatPercent, formatRatio, type Benchmark } from './lib/report.ts';

/** Simulates the learning loop, plants candidates, compares estimators, and measures the speed of a fit beside a plain loop. */
export const runBenchmark: Benchmark = async ({ quick }) => ({
  title: 'Learning from outcomes',
  tables: [measureRegret(quick), measurePlants(quick), measureEstimators(quick), await measureSpeed(quick)],
  notes: [
    'The world: twenty candidates a job; true multipliers drawn around 1 with a standard deviation of 0.45; outcomes known 500 placements later; candidates after every',
    '250 outcomes, trained by three jobs in five and promoted by the rules of the service with the others. The priorities alone always place the best fit.',
    'Targets: regret at most 0.35 of the priorities; at least 95 % of harmful plants refused, 80 % of good ones promoted; a fit at most 2× the plain loop,',
    'which makes as many passes over the same typed arrays with the same arithmetic: gradient and lower triangle of the precision.',
  ],
});

function measureRegret(quick: boolean) {
  const [seeds, placements] = quick ? [1, 2_000] : [6, 12_000];
  const results = Array.from({ length: seeds }, (_, seed) => simulateLoop(seed + 1, placements));
  const rows = results.map(({ regret, static_regret, promoted, refused }, seed) => [
    String(seed + 1),
    static_regret.toFixed(0),
    regret.toFixed(0),
    (regret / static_regret).toFixed(3),
    String(promoted),
    String(refused),
  ]);
  const sum = (key: 'regret' | 'static_regret') => results.reduce((total, each) => total + each[key], 0);
  const whole = (sum('regret') / sum('static_regret')).toFixed(3);
  return {
    head: [
      `seed, ${placements.toLocaleString('en')} placements`,
      'regret of the priorities',
      'of the loop',
      'ratio',
      'promoted',
      'refused',
    ],
    rows: [...rows, ['all', sum('static_regret').toFixed(0), sum('regret').toFixed(0), whole, '', '']],
  };
}

function measurePlants(quick: boolean) {
  const [runs, placements] = quick ? [4, 1_000] : [100, 2_000];
  const countPromoted = (kind: 'good' | 'harmful') =>
    Array.from({ length: runs }, (_, run) => isPlantPromoted(10_000 + run, kind, placements)).filter(Boolean)
      .length;
  const [good, harmful] = [countPromoted('good'), countPromoted('harmful')];
  return {
    head: [
      `planted candidate, ${runs} runs of ${placements.toLocaleString('en')} placements`,
      'promoted',
      'refused',
    ],
    rows: [
      ['good', formatPercent(good / runs), formatPercent(1 - good / runs)],
      ['harmful', formatPercent(harmful / runs), formatPercent(1 - harmful / runs)],
    ],
  };
}

/** The error of the value of a policy half-way to the truth, estimated from placements by the priorities. */
function measureEstimators(quick: boolean) {
  const [runs, placements] = quick ? [3, 500] : [40, 2_000];
  const squares = { ips: 0, snips: 0, doubly_robust: 0 };
  for (let run = 0; run < runs; run += 1) {
    const world = createWorld(20_000 + run);
    const target = world.truth.map((multiplier) => 1 + (multiplier - 1) / 2);
    const choices = Array.from({ length: placements }, () => placeOne(world, neutralMultipliers).choice);
    const model = fitChoices(choices.filter((_, index) => index % 5 < 3));
    const estimates = estimateValue(
      choices.filter((_, index) => index % 5 >= 3),
      target,
      model,
      exploration,
    );
    let value = 0;
    for (let job = 0; job < 4_000; job += 1) {
      const candidates = drawCandidates(world);
      const truth = computeTruth(world, candidates);
      for (const [row, share] of computeChoiceProbabilities(candidates, target, exploration).entries())
        value += (share * truth[row]!) / 4_000;
    }
    for (const name of ['ips', 'snips', 'doubly_robust'] as const)
      squares[name] += (estimates[name] - value) ** 2;
  }
  const describe = (square: number) => Math.sqrt(square / runs).toFixed(4);
  return {
    head: ['estimator', `root mean squared error, ${runs} worlds`],
    rows: [
      ['inverse propensities (IPS)', describe(squares.ips)],
      ['the same, normalised (SNIPS)', describe(squares.snips)],
      ['doubly robust', describe(squares.doubly_robust)],
    ],
  };
}

async function measureSpeed(quick: boolean) {
  const outcomes = drawOutcomes(quick ? 5_000 : 100_000);
  const { passes } = fitOutcomes(buildPrior(), outcomes);
  const { mean } = buildPrior();
  const { ours, plain } = await measureLeast(
    {
      ours: () => measureTime(() => fitOutcomes(buildPrior(), outcomes)),
      plain: () =>
        measureTime(() => {
          for (let pass = 0; pass < passes; pass += 1) runPlainPass(outcomes, mean);
        }),
    },
    quick ? 2 : 7,
  );
  return {
    head: [
      `a fit of ${outcomes.values.length.toLocaleString('en')} outcomes of ${feature_count} features, ${passes} passes`,
      'time',
      'ratio',
    ],
    rows: [
      ['Tessera', formatMilliseconds(ours), formatRatio(ours / plain)],
      ['a plain loop', formatMilliseconds(plain), formatRatio(1)],
    ],
  };
}

function drawOutcomes(count: number): Outcomes {
  const random = createSeededRandom(7);
  return joinOutcomes(
    Array.from({ length: count }, () => {
      const features = Array.from({ length: feature_count }, () => drawStandardNormal(random) / 4);
      const sum = features.reduce((total, feature) => total + feature, 0);
      return { features, value: random() < logistic(sum) ? 1 : 0, weight: 1 };
    }),
  );
}

/** One pass of the arithmetic of a Newton step, as plainly as it can be written. */
function runPlainPass({ features, values, weights }: Outcomes, coefficients: Float64Array): number {
  const gradient = new Float64Array(feature_count);
  const precision = new Float64Array(feature_count * feature_count);
  for (let row = 0; row < values.length; row += 1) {
    let sum = 0;
    for (let i = 0; i < feature_count; i += 1) sum += coefficients[i]! * features[row * feature_count + i]!;
    const probability = 1 / (1 + Math.exp(-sum));
    const residual = weights[row]! * (values[row]! - probability);
    const curvature = weights[row]! * probability * (1 - probability);
    for (let i = 0; i < feature_count; i += 1) {
      const feature = features[row * feature_count + i]!;
      gradient[i]! += residual * feature;
      for (let j = 0; j <= i; j += 1)
        precision[i * feature_count + j]! += curvature * feature * features[row * feature_count + j]!;
    }
  }
  return gradient[0]! + precision[0]!;
}
