import type { TraitCode } from '#modules/traits';
import type { Belonging, BelongingLabel } from './belonging.ts';
import type { Explanation } from './explanation.ts';
import type { ConfidenceLevel, MatchQuality } from '../engine/tiers.ts';

/** An explanation in words: for its member and its organisation alike, without a digit and without a number. */
export type ExplanationWords = {
  readonly top_strengths: string[];
  readonly growth_areas: string[];
  readonly belonging_breakdown: Belonging;
  readonly confidence_statement: string;
  readonly summary_text: string;
};

/** What is explained: the labels of the match, and what they come from. */
export type ExplainedMatch = Explanation & {
  readonly match_quality: MatchQuality;
  readonly confidence_level: ConfidenceLevel;
};

/** Puts an explanation into fixed sentences. Nothing that a person wrote enters them, so nothing can be smuggled through. */
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
      strengths.length > 0 ? `What speaks for it most: ${formatTraitList(strengths)}.` : noStrengths,
      growth.length > 0 ? `Worth talking about: ${formatTraitList(growth)}.` : '',
      formatBelonging(belonging),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
  };
}

const summaries: Readonly<Record<MatchQuality, string>> = {
  exceptional: 'An exceptional match: what this job asks for is what comes most naturally here.',
  strong: 'A strong match: most of what this job asks for comes naturally here.',
  moderate: 'A moderate match: part of what this job asks for comes naturally here.',
  developing: 'A developing match: this job asks for much that would have to grow, or is not certain yet.',
};

const noStrengths = 'No single trait stands out; the fit comes from all of them together.';

/** How sure the labels are. */
export const confidenceStatements: Readonly<Record<ConfidenceLevel, string>> = {
  high: 'This rests on a thorough assessment, and more answers would hardly change it.',
  medium: 'This rests on a sound assessment; more answers might shift it somewhat.',
  low: 'This rests on few answers so far, and should be read with care.',
};

function formatBelonging({ authenticity, acceptance, complementarity }: Belonging): string {
  return [authenticity, acceptance, complementarity].includes('unknown')
    ? 'How it would feel to work there cannot be said before the organisation has described its culture.'
    : `${authenticities[authenticity]} ${acceptances[acceptance]} ${complementarities[complementarity]}`;
}

type BelongingSentences = Readonly<Record<BelongingLabel, string>>;

const authenticities: BelongingSentences = {
  high: 'What counts in this organisation is close to what matters here.',
  moderate: 'What counts in this organisation overlaps with what matters here.',
  low: 'What counts in this organisation differs from what matters here.',
  unknown: '',
};

const acceptances: BelongingSentences = {
  high: 'The trust that is needed to do well is there.',
  moderate: 'Most of the trust that is needed to do well is there.',
  low: 'Some of the trust that is needed to do well is missing.',
  unknown: '',
};

const complementarities: BelongingSentences = {
  high: 'Much would be added to what the organisation has already.',
  moderate: 'Something would be added to what the organisation has already.',
  low: 'Little would be added to what the organisation has already.',
  unknown: '',
};

function formatTraitList(codes: readonly TraitCode[]): string {
  const labels = codes.map((code) => code.replaceAll('_', ' '));
  const last = labels.at(-1)!;
  return labels.length === 1 ? last : `${labels.slice(0, -1).join(', ')} and ${last}`;
}

/** Of each trait, what it brings to a job and where it leaves room; about ways of working, never about a person's worth. */
const traitWords: Readonly<Record<TraitCode, { readonly strength: string; readonly growth: string }>> = {
  pressure_response: {
    strength: 'Pressure response: stays clear-headed when demands and stakes rise.',
    growth: 'Pressure response: a calm setting brings out the best work, and this job has its hectic days.',
  },
  ambiguity_tolerance: {
    strength: 'Ambiguity tolerance: works well when goals or information are incomplete.',
    growth: 'Ambiguity tolerance: clear goals help, and this job often starts without them.',
  },
  change_agility: {
    strength: 'Change agility: adjusts plans and habits readily when circumstances change.',
    growth: 'Change agility: steady ways of working come more naturally, and this job changes them often.',
  },
  recovery_resilience: {
    strength: 'Recovery resilience: regains balance and energy soon after setbacks.',
    growth: 'Recovery resilience: setbacks take time to get over, and this job brings some.',
  },
  analytical_depth: {
    strength: 'Analytical depth: enjoys taking problems apart and following an argument to its end.',
    growth: 'Analytical depth: quick answers come more naturally, and this job asks for long thought.',
  },
  exploratory_curiosity: {
    strength: 'Exploratory curiosity: looks beyond the task for new ideas and explanations.',
    growth:
      'Exploratory curiosity: what is known and proven is preferred, and this job asks for what is new.',
  },
  structure_preference: {
    strength: 'Structure preference: plans ahead and keeps work and time in order.',
    growth: 'Structure preference: things are taken as they come, and this job asks for plans and order.',
  },
  decision_mode: {
    strength: 'Decision mode: reaches decisions by reasons and by asking others.',
    growth: 'Decision mode: decisions come by other ways than reasons and advice, which this job asks for.',
  },
  collaborative_orientation: {
    strength:
      'Collaborative orientation: seeks shared work and puts the result of the group before own credit.',
    growth: 'Collaborative orientation: work alone comes more naturally, and this job is done together.',
  },
  social_initiative: {
    strength: 'Social initiative: starts conversations, speaks up and takes the lead among people.',
    growth: 'Social initiative: others tend to speak up before, and this job asks for taking the lead.',
  },
  empathic_attunement: {
    strength: 'Empathic attunement: notices what others feel and takes it into account.',
    growth: 'Empathic attunement: the matter comes before the mood, and this job asks for an eye for both.',
  },
  conflict_style: {
    strength: 'Conflict style: looks for a way that serves both sides when people disagree.',
    growth: 'Conflict style: disagreement is handled in other ways than by looking for common ground.',
  },
  achievement_drive: {
    strength: 'Achievement drive: sets demanding goals and works to exceed them.',
    growth: 'Achievement drive: a measured pace comes more naturally, and this job sets demanding goals.',
  },
  autonomy_drive: {
    strength: 'Autonomy drive: chooses own methods and answers for the outcome.',
    growth: 'Autonomy drive: guidance is welcome, and this job leaves much to be decided alone.',
  },
  purpose_orientation: {
    strength: 'Purpose orientation: wants work to serve something beyond personal gain.',
    growth: 'Purpose orientation: other reasons to work come before the cause that this job lives from.',
  },
  persistence: {
    strength: 'Persistence: keeps going until a task is done, also when it is tedious or hard.',
    growth: 'Persistence: variety comes more naturally, and this job has long and tedious stretches.',
  },
  sincerity: {
    strength: 'Sincerity: is genuine with people and does not pretend for advantage.',
    growth: 'Sincerity: tact may come before openness, and this job asks for plain words.',
  },
  fair_dealing: {
    strength: 'Fair dealing: plays by the rules and refuses gain at the expense of others.',
    growth: 'Fair dealing: a good bargain counts for much, and this job asks for an even hand.',
  },
  accountability: {
    strength: 'Accountability: owns commitments and mistakes, and follows through.',
    growth: 'Accountability: shared responsibility is easier, and this job asks for answering in person.',
  },
  discretion: {
    strength: 'Discretion: keeps what was told in confidence.',
    growth: 'Discretion: openness comes more naturally, and this job holds things in confidence.',
  },
};
