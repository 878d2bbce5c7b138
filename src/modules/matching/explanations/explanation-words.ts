import type { TraitCode } from '#modules/traits';
import type { ConfidenceLevel, MatchQuality } from '../engine/tiers.ts';
import type { Belonging, BelongingLabel } from './belonging.ts';
import type { Explanation } from './explanation.ts';

/** An explanation in words, the same for the member and the organisation. It contains no digits and no numbers in words. */
export type ExplanationWords = {
  readonly top_strengths: string[];
  readonly growth_areas: string[];
  readonly belonging_breakdown: Belonging;
  readonly confidence_statement: string;
  readonly summary_text: string;
};

/** The labels of a match and the facts that explain them. */
export type ExplainedMatch = Explanation & {
  readonly match_quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
};

/** Formats an explanation as fixed sentences. They contain no text that a user wrote, so that no one can insert content into them. */
export function formatExplanation({
  strengths,
  growth,
  belonging,
  match_quality,
  confidence_level,
}: ExplainedMatch): ExplanationWords {
  return {
    top_strengths: strengths.map((code) => traitWords[code].strength),
    growth_areas: growth.map((code) => traitWords[code].growth),
    belonging_breakdown: belonging,
    confidence_statement: confidenceStatements[confidence_level],
    summary_text: [
      summaries[match_quality],
      strengths.length > 0 ? `Main strengths for this job: ${formatTraitList(strengths)}.` : noStrengths,
      growth.length > 0 ? `Worth discussing: ${formatTraitList(growth)}.` : '',
      formatBelonging(belonging),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  };
}

const summaries: Readonly<Record<MatchQuality, string>> = {
  exceptional: 'An exceptional match: the member’s traits suit this job very well.',
  strong: 'A strong match: the member’s traits suit this job well.',
  moderate: 'A moderate match: some of the member’s traits suit this job.',
  developing:
    'A developing match: much of what this job asks for still has to develop, or has not been measured with certainty yet.',
};

const noStrengths = 'No single trait stands out; the match is based on all traits together.';

/** How certain the labels of a match are. */
export const confidenceStatements: Readonly<Record<ConfidenceLevel, string>> = {
  high: 'This is based on a thorough assessment; more answers would hardly change it.',
  medium: 'This is based on a sound assessment; more answers might change it somewhat.',
  low: 'This is based on few answers so far and should be read with care.',
};

function formatBelonging({ authenticity, acceptance, complementarity }: Belonging): string {
  if (authenticity === 'unknown' || acceptance === 'unknown' || complementarity === 'unknown')
    return 'How well the member would belong can be described once the organisation has a culture profile.';
  return `${authenticities[authenticity]} ${acceptances[acceptance]} ${complementarities[complementarity]}`;
}

type BelongingSentences = Readonly<Record<Exclude<BelongingLabel, 'unknown'>, string>>;

const authenticities: BelongingSentences = {
  high: 'What the organisation values is close to what matters to the member.',
  moderate: 'What the organisation values overlaps with what matters to the member.',
  low: 'What the organisation values differs from what matters to the member.',
};

const acceptances: BelongingSentences = {
  high: 'The organisation has the trust that the member needs to do well.',
  moderate: 'The organisation has most of the trust that the member needs to do well.',
  low: 'The organisation lacks some of the trust that the member needs to do well.',
};

const complementarities: BelongingSentences = {
  high: 'The member would add much to what the organisation already has.',
  moderate: 'The member would add something to what the organisation already has.',
  low: 'The member would add little to what the organisation already has.',
};

const traitList = new Intl.ListFormat('en-GB');

function formatTraitList(codes: readonly TraitCode[]): string {
  return traitList.format(codes.map((code) => code.replaceAll('_', ' ')));
}

/** The sentences for each trait as a strength and as a growth area. They describe ways of working and never judge the member. */
const traitWords: Readonly<Record<TraitCode, { readonly strength: string; readonly growth: string }>> = {
  pressure_response: {
    strength: 'Pressure response: stays clear-headed when demands and stakes rise.',
    growth: 'Pressure response: works best in a calm setting, and this job has hectic days.',
  },
  ambiguity_tolerance: {
    strength: 'Ambiguity tolerance: works well when goals or information are incomplete.',
    growth: 'Ambiguity tolerance: works best with clear goals, and this job often starts without them.',
  },
  change_agility: {
    strength: 'Change agility: readily adjusts plans and habits when circumstances change.',
    growth: 'Change agility: prefers steady ways of working, and this job changes them often.',
  },
  recovery_resilience: {
    strength: 'Recovery resilience: regains balance and energy soon after setbacks.',
    growth: 'Recovery resilience: needs time to recover from setbacks, and this job involves some.',
  },
  analytical_depth: {
    strength: 'Analytical depth: enjoys taking problems apart and following an argument to its end.',
    growth: 'Analytical depth: prefers quick answers, and this job asks for thorough analysis.',
  },
  exploratory_curiosity: {
    strength: 'Exploratory curiosity: looks beyond the task for new ideas and explanations.',
    growth: 'Exploratory curiosity: prefers what is known and proven, and this job asks for new ideas.',
  },
  structure_preference: {
    strength: 'Structure preference: plans ahead and organises work and time well.',
    growth: 'Structure preference: prefers to improvise, and this job asks for planning and order.',
  },
  decision_mode: {
    strength: 'Decision mode: bases decisions on reasoning and on the advice of others.',
    growth: 'Decision mode: tends not to rely on reasoning and advice, which this job asks for.',
  },
  collaborative_orientation: {
    strength:
      'Collaborative orientation: seeks shared work and puts the result of the group before personal credit.',
    growth: 'Collaborative orientation: prefers to work alone, and this job is done together with others.',
  },
  social_initiative: {
    strength: 'Social initiative: starts conversations, speaks up and takes the lead.',
    growth: 'Social initiative: tends to leave the lead to others, and this job asks for taking it.',
  },
  empathic_attunement: {
    strength: 'Empathic attunement: notices what others feel and takes it into account.',
    growth: 'Empathic attunement: puts facts before feelings, and this job asks for attention to both.',
  },
  conflict_style: {
    strength: 'Conflict style: looks for solutions that serve both sides of a disagreement.',
    growth: 'Conflict style: tends not to seek common ground in a disagreement, which this job asks for.',
  },
  achievement_drive: {
    strength: 'Achievement drive: sets demanding goals and works to exceed them.',
    growth: 'Achievement drive: prefers a measured pace, and this job sets demanding goals.',
  },
  autonomy_drive: {
    strength: 'Autonomy drive: works independently and takes responsibility for the outcome.',
    growth: 'Autonomy drive: appreciates guidance, and this job requires many independent decisions.',
  },
  purpose_orientation: {
    strength: 'Purpose orientation: wants work to serve something beyond personal gain.',
    growth: 'Purpose orientation: has other reasons to work than a cause, and this job depends on its cause.',
  },
  persistence: {
    strength: 'Persistence: keeps going until a task is done, even when it is tedious or hard.',
    growth: 'Persistence: prefers variety, and this job has long and tedious stretches.',
  },
  sincerity: {
    strength: 'Sincerity: is genuine with others and does not pretend for advantage.',
    growth: 'Sincerity: may put tact before openness, and this job asks for plain words.',
  },
  fair_dealing: {
    strength: 'Fair dealing: plays by the rules and refuses gain at the expense of others.',
    growth: 'Fair dealing: values a good bargain, and this job asks for even-handedness.',
  },
  accountability: {
    strength: 'Accountability: takes responsibility for commitments and mistakes, and follows through.',
    growth: 'Accountability: prefers shared responsibility, and this job asks for personal responsibility.',
  },
  discretion: {
    strength: 'Discretion: respects what is shared in confidence.',
    growth: 'Discretion: prefers openness, and this job involves confidential matters.',
  },
};
