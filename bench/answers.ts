import path from 'node:path';
import { readTemplates } from '#modules/matching/jobs';
import type { MatchQuality } from '../src/modules/matching/engine/tiers.ts';
import { measureRealEvidence } from './answers/real-evidence.ts';
import { simulateBehaviours, type BehaviourResult, type RespondentResult } from './answers/respondents.ts';
import { formatPercent, type Table } from './lib/report.ts';
import { dataDir, onetDir, requireData } from './lib/shared-data.ts';

const title = 'Careless and idealised answers';

/**
 * Shows what careless and idealised answers gain, and who is flagged: simulated respondents of seventeen kinds, and real answers. It measures
 * no time.
 */
export const runBenchmark = requireData(title, async ({ quick }) => {
  const templates = await readTemplates(onetDir);
  const jobs = templates
    .filter((_, index) => index % 10 === 0)
    .map(({ trait_priorities }) => trait_priorities);
  const results = simulateBehaviours(jobs, quick ? 5 : 300);
  return {
    title,
    tables: [
      listGains(results),
      ...[0.005, 0.01, 0.02, 0.05].map((share) => compareStatistics(results, share)),
      await listRealEvidence(path.join(dataDir, 'bfi', 'bfi-calibration.csv')),
    ],
    notes,
  };
});

const notes = [
  'Tiers are over every tenth occupation of O*NET. "Any strong" are the respondents with a strong or exceptional match. Evidence is ln of the ratio of two',
  'likelihoods; lz is the standardised likelihood; the elevation is the mean of all traits.',
];

function listGains(results: readonly BehaviourResult[]): Table {
  return {
    head: [
      'answers',
      'flagged',
      'flagged after 50 items',
      'exceptional',
      'strong or better',
      'any strong',
      'confidence',
    ],
    rows: results.map(({ name, respondents }) => [
      name,
      formatPercent(computeShare(respondents, ({ flagged }) => flagged)),
      formatPercent(computeShare(respondents, ({ flagged_early }) => flagged_early)),
      formatPercent(computeTierShare(respondents, ['exceptional'])),
      formatPercent(computeTierShare(respondents, ['exceptional', 'strong'])),
      formatPercent(
        computeShare(respondents, ({ tiers }) => tiers.has('exceptional') || tiers.has('strong')),
      ),
      average(respondents.map(({ confidence }) => confidence)).toFixed(2),
    ]),
  };
}

const statistics = {
  'evidence of carelessness': (each) => each.careless,
  'lz, reversed': (each) => each.misfit,
  'evidence of idealised answers': (each) => each.idealised,
  elevation: (each) => each.elevation,
} as const satisfies Record<string, (each: RespondentResult) => number>;

/** Cuts each statistic at the value that a share of the honest respondents exceed. */
function compareStatistics(results: readonly BehaviourResult[], share: number): Table {
  const cuts = Object.values(statistics).map((compute) => ({
    compute,
    cut: findQuantile(results[0]!.respondents.map(compute), 1 - share),
  }));
  return {
    head: [
      `answers; cuts that ${formatPercent(share)} of honest respondents exceed`,
      ...Object.keys(statistics),
    ],
    rows: results.map(({ name, respondents }) => [
      name,
      ...cuts.map(({ compute, cut }) =>
        formatPercent(computeShare(respondents, (each) => compute(each) > cut)),
      ),
    ]),
  };
}

async function listRealEvidence(file: string): Promise<Table> {
  const evidence = await measureRealEvidence(file);
  const shares = [0.1, 0.5, 0.9, 0.97, 0.99];
  return {
    head: [
      `${evidence.real.length} real people, 25 items: evidence of carelessness for each answer`,
      ...shares.map((share) => `${formatPercent(share)} are below`),
    ],
    rows: Object.entries(evidence).map(([name, values]) => [
      name,
      ...shares.map((share) => findQuantile(values, share).toFixed(2)),
    ]),
  };
}

function computeShare(
  respondents: readonly RespondentResult[],
  hasProperty: (each: RespondentResult) => boolean,
): number {
  return average(respondents.map((each) => Number(hasProperty(each))));
}

function computeTierShare(
  respondents: readonly RespondentResult[],
  qualities: readonly MatchQuality[],
): number {
  const sumTiers = ({ tiers }: RespondentResult, counted: readonly MatchQuality[]) =>
    counted.reduce((sum, tier) => sum + (tiers.get(tier) ?? 0), 0);
  return average(
    respondents.map((each) => sumTiers(each, qualities) / sumTiers(each, [...each.tiers.keys()])),
  );
}

function findQuantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * values.length)]!;
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
