import {
  computeFitWeights,
  matchQualities,
  measureMatch,
  openTerms,
  type JobMatch,
  type MatchQuality,
} from '#modules/matching/engine';
import type { LatentVector, TraitPriorities } from '#modules/measurement/traits';
import {
  formatExplanation,
  type ExplanationWords,
} from '../../src/modules/matching/matches/explanations/explanation-words.ts';
import {
  explainMatch,
  type Explanation,
} from '../../src/modules/matching/matches/explanations/explanation.ts';
import type { Population } from './populations.ts';

/** A match of a job: which person it is, which an organisation does not learn, and what it reads today or could read. */
export type Entry = {
  readonly person: number;
  readonly vector: LatentVector;
  readonly tier: MatchQuality;
  /** What an organisation reads before the person has agreed, and what it reads in detail. */
  readonly words: ExplanationWords;
  readonly detail: ExplanationWords;
  /** What these words say of each trait. */
  readonly priorities: Explanation['priorities'];
  readonly standings: Explanation['standings'];
};

/** The matches of a job in random order. */
export type Shortlist = { readonly job: TraitPriorities; readonly entries: readonly Entry[] };

const read_first = 40;

/** Lists everybody whom a job matches. As in the service, these are the people whose fit is above the average. */
export function listMatches({ people, norms }: Population, job: TraitPriorities): Shortlist {
  const weights = computeFitWeights(job, norms);
  const entries = people.flatMap((vector, person) => {
    const measured = measureMatch({ member_id: String(person), ...vector }, { weights, terms: openTerms });
    return measured.fit.mean > 0 ? [describeEntry(person, vector, { job, measured })] : [];
  });
  return { job, entries };
}

/** Lists the first 40 people of each tier that has 40. */
export function listTiers({ entries }: Shortlist): readonly (readonly Entry[])[] {
  return matchQualities
    .map((quality) => entries.filter(({ tier }) => tier === quality).slice(0, read_first))
    .filter((tier) => tier.length === read_first);
}

function describeEntry(
  person: number,
  vector: LatentVector,
  { job, measured }: { readonly job: TraitPriorities; readonly measured: JobMatch },
): Entry {
  const { quality, confidence_level } = measured;
  const labels = { match_quality: quality, confidence_level };
  return {
    person,
    vector,
    tier: quality,
    ...explain(vector, job, labels),
  };
}

type Labels = Pick<Parameters<typeof formatExplanation>[0], 'match_quality' | 'confidence_level'>;

function explain(
  vector: LatentVector,
  job: TraitPriorities,
  labels: Labels,
): Pick<Entry, 'words' | 'detail' | 'priorities' | 'standings'> {
  const member = { ...vector, provisional: false, values: null };
  const explanation = explainMatch(member, { job, computed: job }, undefined);
  const explained = { ...explanation, ...labels, trait_priorities: job, values: null, culture: undefined };
  const format = (is_detailed: boolean) =>
    formatExplanation(explained, { reader: 'organisation', has_agreed: false, is_detailed });
  const { priorities, standings } = explanation;
  return { words: format(false), detail: format(true), priorities, standings };
}
