import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { logistic, type Observations } from '@tessera/psychometrics';
import { buildPrior } from '../src/modules/matching/learning/estimation/outcome-priors.ts';
import { buildModels, selectModel } from '../src/modules/matching/learning/estimation/build-models.ts';
import { feature_count } from '../src/modules/matching/learning/estimation/features.ts';
import {
  fitTrusted,
  joinByOrganisation,
  type OrganisationOutcome,
} from '../src/modules/matching/learning/estimation/fit-trusted.ts';
import {
  computeTrueValue,
  exploration,
  isEvaluating,
  listPromotedPlants,
  placeOne,
  plants,
  simulateLoop,
  type LoopResult,
} from '../test/simulation/learning.ts';
import { createWorld, drawJob, families, worlds, type WorldName } from '../test/simulation/worlds.ts';
import { measureLeast, measureTime } from './lib/measure.ts';
import { formatMilliseconds, formatPercent, formatRatio, type Benchmark } from './lib/report.ts';
import { estimateValue } from '../test/modules/estimate-value.ts';

/** The seeds of the worlds. Nothing was chosen with them: settings were compared with seeds 101 to 104. */
const test_seeds = Array.from({ length: 12 }, (_, index) => 2_001 + index);

/** Simulates the learning loop, plants candidates, compares estimators, and measures the speed of a fit beside a plain loop. */
export const runBenchmark: Benchmark = async ({ quick }) => ({
  title: 'Learning from outcomes',
  tables: [
    await measureSpeed(quick),
    measureRegret(quick),
    measureRings(quick),
    measurePlants(quick),
    measureEstimators(quick),
  ],
  notes: [
    'The worlds are described in test/simulation/worlds.ts. Twenty candidates a job; outcomes known 500 placements later; candidates after every 250 outcomes, trained by three jobs',
    'in five and promoted by the rules of the service with the others. The priorities alone always place the best fit. Regret: how much less probable a good outcome is than with the best candidate.',
    'Targets: regret at most 0.35 of the priorities; at least 95 % of harmful plants refused, 80 % of good ones promoted; a fit at most 2× one pass of a plain loop,',
    'which computes the gradient and the lower triangle of the precision from the same typed arrays.',
  ],
});

function measureRegret(quick: boolean) {
  const [seeds, placements] = quick ? [[1], 2_000] : [test_seeds, 12_000];
  const names = quick ? (['study'] as const) : (Object.keys(worlds) as WorldName[]);
  return {
    head: [
      `world, ${seeds.length} seeds of ${placements.toLocaleString('en')} placements`,
      'regret of the priorities',
      'of the loop',
      'ratio',
      'lowest, highest ratio',
      'seeds within 0.35',
      'promoted',
      'refused',
    ],
    rows: names.map((name) =>
      summariseLoops(
        name,
        seeds.map((seed) => simulateLoop(name, seed, placements)),
      ),
    ),
  };
}

function summariseLoops(name: string, results: readonly LoopResult[]): readonly string[] {
  const average = (key: keyof LoopResult) =>
    results.reduce((total, each) => total + each[key], 0) / results.length;
  const ratios = results.map(({ regret, static_regret }) => regret / static_regret);
  return [
    name.replaceAll('_', ' '),
    average('static_regret').toFixed(0),
    average('regret').toFixed(0),
    (average('regret') / average('static_regret')).toFixed(3),
    `${Math.min(...ratios).toFixed(3)}, ${Math.max(...ratios).toFixed(3)}`,
    `${ratios.filter((ratio) => ratio <= 0.35).length} of ${ratios.length}`,
    average('promoted').toFixed(1),
    average('refused').toFixed(1),
  ];
}

/** Rings of organisations that lie about the first trait, and what they cost everybody. */
const rings = [
  { share: 0, volume: 1 },
  { share: 0.05, volume: 1 },
  { share: 0.1, volume: 1 },
  { share: 0.1, volume: 10 },
  { share: 0.2, volume: 1 },
  { share: 0.2, volume: 10 },
  { share: 0.3, volume: 1 },
] as const;

function measureRings(quick: boolean) {
  const [seeds, placements] = quick ? [[1], 2_000] : [test_seeds.slice(0, 4), 12_000];
  return {
    head: [
      `organisations that lie, ${seeds.length} seeds of ${placements.toLocaleString('en')} placements`,
      'of all outcomes',
      'regret, of that of the priorities',
      'multiplier of the trait, mean change',
    ],
    rows: summariseRings(
      rings.map((ring) => seeds.map((seed) => simulateLoop('study', seed, placements, ring))),
    ),
  };
}

function summariseRings(results: readonly (readonly LoopResult[])[]): readonly (readonly string[])[] {
  const [honest] = results;
  return rings.map(({ share, volume }, row) => {
    const sum = (key: 'regret' | 'static_regret') =>
      results[row]!.reduce((total, each) => total + each[key], 0);
    const changes = results[row]!.map(
      (each, seed) => each.first_multiplier - honest![seed]!.first_multiplier,
    );
    const change = changes.reduce((total, each) => total + each, 0) / changes.length;
    return [
      `${formatPercent(share)}, each with ${volume === 1 ? 'as many outcomes as others' : `${volume} times the outcomes`}`,
      formatPercent((share * volume) / (share * volume + 1 - share)),
      (sum('regret') / sum('static_regret')).toFixed(3),
      change.toFixed(2),
    ];
  });
}

function measurePlants(quick: boolean) {
  const [runs, placements] = quick ? [4, 1_000] : [100, 2_000];
  const promoted = Array.from({ length: runs }, (_, run) => listPromotedPlants(10_000 + run, placements));
  return {
    head: [
      `planted candidate, ${runs} runs of ${placements.toLocaleString('en')} placements`,
      'promoted',
      'refused',
    ],
    rows: plants.map((plant) => {
      const share = promoted.filter((each) => each.includes(plant)).length / runs;
      return [plant.replaceAll('_', ' '), formatPercent(share), formatPercent(1 - share)];
    }),
  };
}

/** The error of the value of a policy half-way to the truth, estimated from placements by the priorities. */
function measureEstimators(quick: boolean) {
  const [runs, placements] = quick ? [3, 500] : [40, 2_000];
  const squares = { ips: 0, snips: 0, doubly_robust: 0 };
  for (let run = 0; run < runs; run += 1) {
    const world = createWorld(20_000 + run);
    const target = world.truth[families[0]]!.map((multiplier) => 1 + (multiplier - 1) / 2);
    const known = Array.from({ length: placements }, (_, number) => placeOne(world, {}, number).placement);
    const models = buildModels(known.filter((_, index) => !isEvaluating(index)))!;
    const estimates = estimateValue(
      known.filter((_, index) => isEvaluating(index)),
      target,
      selectModel(models, null),
      exploration,
    );
    let value = 0;
    for (let job = 0; job < 4_000; job += 1) value += computeTrueValue(drawJob(world), target) / 4_000;
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
  const { mean } = buildPrior();
  const parts = joinByOrganisation(outcomes);
  const { passes } = fitTrusted(buildPrior(), parts).fit;
  const { ours, plain } = await measureLeast(
    {
      ours: () => measureTime(() => fitTrusted(buildPrior(), parts)),
      plain: () => measureTime(() => runPlainPass(parts.joined, mean)),
    },
    quick ? 2 : 15,
  );
  return {
    head: [`${outcomes.length.toLocaleString('en')} outcomes of ${feature_count} features`, 'time', 'ratio'],
    rows: [
      [`Tessera, the whole fit: ${passes} passes`, formatMilliseconds(ours), formatRatio(ours / plain)],
      ['a plain loop, one pass', formatMilliseconds(plain), formatRatio(1)],
    ],
  };
}

function drawOutcomes(count: number): readonly OrganisationOutcome[] {
  const random = createSeededRandom(7);
  return Array.from({ length: count }, (_, index) => {
    const features = Array.from({ length: feature_count }, () => drawStandardNormal(random) / 4);
    const sum = features.reduce((total, feature) => total + feature, 0);
    return { org_id: `${index % 500}`, features, value: random() < logistic(sum) ? 1 : 0, weight: 1 };
  });
}

/** One pass of the arithmetic of a Newton step, as plainly as it can be written without computing an index twice. */
function runPlainPass({ features, values, weights }: Observations, coefficients: Float64Array): number {
  const gradient = new Float64Array(feature_count);
  const precision = new Float64Array(feature_count * feature_count);
  for (let row = 0, from = 0; row < values.length; row += 1, from += feature_count) {
    let sum = 0;
    for (let i = 0; i < feature_count; i += 1) sum += coefficients[i]! * features[from + i]!;
    const probability = 1 / (1 + Math.exp(-sum));
    const residual = weights[row]! * (values[row]! - probability);
    const curvature = weights[row]! * probability * (1 - probability);
    for (let i = 0, place = 0; i < feature_count; i += 1, place += feature_count) {
      const feature = features[from + i]!;
      const curved = curvature * feature;
      gradient[i]! += residual * feature;
      for (let j = 0; j <= i; j += 1) precision[place + j]! += curved * features[from + j]!;
    }
  }
  return gradient[0]! + precision[0]!;
}
