import path from 'node:path';
import { readTemplates } from '#modules/jobs';
import type { MatchQuality } from '../src/modules/matching/engine/tiers.ts';
import { measureRealEvidence } from './answers/real-evidence.ts';
import { simulateBehaviours, type BehaviourResult, type RespondentResult } from './answers/respondents.ts';
import { formatPercent, type Table } from './lib/report.ts';
import { dataDir, onetDir, requireData } from './lib/shared-data.ts';

const title = 'Careless and idealised answers';

/**
 * Shows what careless and idealised answers gain, and who is flagged: simulated respondents of twelve kinds, and real answers. It measures
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
      compareStatistics(results),
      await listRealEvidence(path.join(dataDir, 'bfi', 'bfi-calibration.csv')),
    ],
    notes,
  };
});

const notes = [
  'Tiers are over every tenth occupation of O*NET. "Any strong" are the respondents with a strong or exceptional match. The last statistic is',
  'the evidence of the traits against carelessness; lz is the standardised likelihood. Both are cut at the value that 2 % of the honest respondents are below.',
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

function compareStatistics(results: readonly BehaviourResult[]): Table {
  const honest = results[0]!.respondents;
  const evidenceCut = findQuantile(
    honest.map(({ evidence }) => evidence),
    0.02,
  );
  const likelihoodCut = findQuantile(
    honest.map((each) => each.standardised_likelihood),
    0.02,
  );
  return {
    head: ['answers', 'evidence below the cut', 'lz below the cut'],
    rows: results.map(({ name, respondents }) => [
      name,
      formatPercent(computeShare(respondents, ({ evidence }) => evidence < evidenceCut)),
      formatPercent(computeShare(respondents, (each) => each.standardised_likelihood < likelihoodCut)),
    ]),
  };
}

async function listRealEvidence(file: string): Promise<Table> {
  const evidence = await measureRealEvidence(file);
  const shares = [0.01, 0.03, 0.1, 0.5, 0.9];
  return {
    head: [
      `${evidence.real.length} real people, 25 items: evidence for each answer`,
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
