import { queryCategories, type QueryCategory } from '#modules/people/consent';

/** What decides how legible an identity is. */
export type LegibilityFacts = {
  /** The confidence of each of the twenty traits, from 0 to 1; none before the first result. */
  readonly confidences: readonly number[];
  readonly assessment_complete: boolean;
  /** How many of the fields of the profile that matching needs are filled, from 0 to 1. */
  readonly filled_share: number;
  /** Whether the member lets others read the approved categories for a payment. */
  readonly consented: boolean;
  readonly approved: ReadonlySet<QueryCategory>;
};

/** What a member can do to be more legible. */
export const stepCodes = [
  'complete_assessment',
  'fill_profile',
  'consent_to_queries',
  'approve_archetype',
  'approve_trait_profile',
  'approve_values_profile',
  'approve_alignment',
] as const;

export type StepCode = (typeof stepCodes)[number];

/** A step, with what the score and the multiplier would be after this step alone; for the assessment, at most. */
export type LegibilityStep = {
  readonly code: StepCode;
  readonly score_after: number;
  readonly multiplier_after_bps: number;
};

/** How complete, confident and queryable an identity is. All from 0 to 1, except the multiplier: 5,000 to 20,000 basis points. */
export type Legibility = {
  readonly score: number;
  readonly completeness: number;
  readonly confidence: number;
  readonly queryability: number;
  readonly multiplier_bps: number;
  readonly next_steps: readonly LegibilityStep[];
};

/** The weights of the three parts; they sum to 1. */
const weights = { completeness: 0.35, confidence: 0.35, queryability: 0.3 } as const;

/** The traits make up this part of completeness, and the profile the remainder. */
const traits_weight = 0.75;

const trait_count = 20;

/** A trait says something from this confidence on: its standard error is below 0.71. */
const measured_confidence = 0.5;

/** The assessment ends at a standard error of 0.4. More cannot be asked of a member, so this confidence counts as full. */
const full_confidence = 0.84;

const multiplier_min_bps = 5_000;
const multiplier_range_bps = 15_000;

/** The multiplier has 7 steps, because organisations see the price before they pay: a finer one would recognise the member. */
const multiplier_step_bps = 2_500;

/** Computes the legibility of an identity. Each part is monotone in the facts: no step that a member takes lowers it. */
export function computeLegibilityFromFacts(facts: LegibilityFacts): Legibility {
  const parts = computeParts(facts);
  const score = computeScore(parts);
  return { score, ...parts, multiplier_bps: toMultiplierBps(score), next_steps: listSteps(facts, score) };
}

type Parts = Pick<Legibility, 'completeness' | 'confidence' | 'queryability'>;

function computeParts({ confidences, filled_share, consented, approved }: LegibilityFacts): Parts {
  const measured = confidences.filter((confidence) => confidence >= measured_confidence).length;
  const sum = confidences.reduce((total, confidence) => total + Math.min(1, confidence / full_confidence), 0);
  const isReadable = consented && confidences.length > 0;
  return {
    completeness: traits_weight * (measured / trait_count) + (1 - traits_weight) * filled_share,
    confidence: sum / trait_count,
    queryability: isReadable ? approved.size / queryCategories.length : 0,
  };
}

function computeScore({ completeness, confidence, queryability }: Parts): number {
  const sum =
    weights.completeness * completeness +
    weights.confidence * confidence +
    weights.queryability * queryability;
  return Math.min(1, Math.max(0, sum));
}

/** Rounds to the nearest step, so that members lose nothing on average. A score that misses a half step only by the rounding of its sum has reached it. */
function toMultiplierBps(score: number): number {
  const steps = Math.floor((score * multiplier_range_bps) / multiplier_step_bps + 0.5 + 1e-9);
  return multiplier_min_bps + steps * multiplier_step_bps;
}

/** Lists the steps that raise the score, the most effective first. */
function listSteps(facts: LegibilityFacts, score: number): readonly LegibilityStep[] {
  return stepCodes
    .filter((code) => isOpen[code](facts))
    .map((code) => {
      const score_after = computeScore(computeParts(take[code](facts)));
      return { code, score_after, multiplier_after_bps: toMultiplierBps(score_after) };
    })
    .filter(({ score_after }) => score_after > score)
    .toSorted((one, other) => other.score_after - one.score_after);
}

const every: ReadonlySet<QueryCategory> = new Set(queryCategories);
const isUnapproved =
  (category: QueryCategory) =>
  ({ consented, approved }: LegibilityFacts) =>
    consented && !approved.has(category);
const approve =
  (category: QueryCategory) =>
  (facts: LegibilityFacts): LegibilityFacts => ({
    ...facts,
    approved: new Set([...facts.approved, category]),
  });

const isOpen: Readonly<Record<StepCode, (facts: LegibilityFacts) => boolean>> = {
  complete_assessment: ({ assessment_complete }) => !assessment_complete,
  fill_profile: ({ filled_share }) => filled_share < 1,
  consent_to_queries: ({ consented }) => !consented,
  approve_archetype: isUnapproved('archetype'),
  approve_trait_profile: isUnapproved('trait_profile'),
  approve_values_profile: isUnapproved('values_profile'),
  approve_alignment: isUnapproved('alignment'),
};

const take: Readonly<Record<StepCode, (facts: LegibilityFacts) => LegibilityFacts>> = {
  complete_assessment: (facts) => ({
    ...facts,
    assessment_complete: true,
    confidences: Array.from({ length: trait_count }, (_, slot) =>
      Math.max(full_confidence, facts.confidences[slot] ?? 0),
    ),
  }),
  fill_profile: (facts) => ({ ...facts, filled_share: 1 }),
  consent_to_queries: (facts) => ({ ...facts, consented: true, approved: every }),
  approve_archetype: approve('archetype'),
  approve_trait_profile: approve('trait_profile'),
  approve_values_profile: approve('values_profile'),
  approve_alignment: approve('alignment'),
};
