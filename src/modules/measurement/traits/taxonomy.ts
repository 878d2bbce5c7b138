/**
 * MVP-20: the twenty traits that assessments measure and jobs prioritise, in five families of four. The order must not change, because
 * it is the order of the slots in every latent vector; a different taxonomy is a new version.
 */
export const traitFamilies = {
  adaptive_capacity: ['pressure_response', 'ambiguity_tolerance', 'change_agility', 'recovery_resilience'],
  cognitive_style: ['analytical_depth', 'exploratory_curiosity', 'structure_preference', 'decision_mode'],
  interpersonal_orientation: [
    'collaborative_orientation',
    'social_initiative',
    'empathic_attunement',
    'conflict_style',
  ],
  drive_architecture: ['achievement_drive', 'autonomy_drive', 'purpose_orientation', 'persistence'],
  integrity_trust: ['sincerity', 'fair_dealing', 'accountability', 'discretion'],
} as const;

/** The categorical traits, and the ways of acting that are the values of each. */
export const categoricalTraits = {
  decision_mode: ['rational', 'intuitive', 'consultative', 'spontaneous', 'deferring'],
  conflict_style: ['competing', 'collaborating', 'compromising', 'avoiding', 'accommodating'],
} as const;

export type TraitFamily = keyof typeof traitFamilies;
export type TraitCode = (typeof traitFamilies)[TraitFamily][number];
export type CategoricalTrait = keyof typeof categoricalTraits;
export type ContinuousTrait = Exclude<TraitCode, CategoricalTrait>;

/** How much a job asks for each trait, from 0 to 1. A trait that is not listed has no weight. */
export type TraitPriorities = Readonly<Partial<Record<TraitCode, number>>>;

/** The five families, in the order of the taxonomy. The cast restores the names, which `Object.keys` returns as plain strings. */
export const traitFamilyNames = Object.keys(traitFamilies) as readonly TraitFamily[];

/** All twenty codes, in slot order. */
export const traitCodes: readonly TraitCode[] = Object.values(traitFamilies).flat();

/** The eighteen codes of the traits that are measured on a scale, in slot order. */
export const continuousTraits: readonly ContinuousTrait[] = traitCodes.filter(
  (code): code is ContinuousTrait => !(code in categoricalTraits),
);

/** The two codes of the categorical traits, in slot order. */
export const categoricalTraitCodes: readonly CategoricalTrait[] = traitCodes.filter(
  (code): code is CategoricalTrait => code in categoricalTraits,
);

/** The plain name of each trait, the same on every page, in every explanation and in every report. */
export const traitNames: Readonly<Record<TraitCode, string>> = {
  pressure_response: 'Calm under pressure',
  ambiguity_tolerance: 'Ease with ambiguity',
  change_agility: 'Ease with change',
  recovery_resilience: 'Recovery from setbacks',
  analytical_depth: 'Analytical depth',
  exploratory_curiosity: 'Curiosity',
  structure_preference: 'Order and planning',
  decision_mode: 'Decision-making',
  collaborative_orientation: 'Collaboration',
  social_initiative: 'Social initiative',
  empathic_attunement: 'Empathy',
  conflict_style: 'Handling conflict',
  achievement_drive: 'Achievement',
  autonomy_drive: 'Autonomy',
  purpose_orientation: 'Purpose',
  persistence: 'Persistence',
  sincerity: 'Sincerity',
  fair_dealing: 'Fair dealing',
  accountability: 'Accountability',
  discretion: 'Discretion',
};

/** The meaning of each trait in one sentence, for members and organisations: what a member with a high value tends to do. */
export const traitMeanings: Readonly<Record<TraitCode, string>> = {
  pressure_response: 'Stays clear-headed and effective when demands and stakes rise.',
  ambiguity_tolerance: 'Works well when goals, rules or information are incomplete.',
  change_agility: 'Adjusts plans, tools and habits readily when circumstances change.',
  recovery_resilience: 'Makes a new plan soon after setbacks.',
  analytical_depth: 'Enjoys taking problems apart and following an argument to its end.',
  exploratory_curiosity: 'Looks beyond the task for new ideas, fields and explanations.',
  structure_preference: 'Plans ahead and keeps work, time and materials in order.',
  decision_mode: 'The way of reaching decisions that comes most naturally.',
  collaborative_orientation: 'Seeks shared work and puts the group’s result first.',
  social_initiative: 'Starts conversations, speaks up and takes the lead among people.',
  empathic_attunement: 'Notices what others feel and takes it into account.',
  conflict_style: 'The way of handling disagreement that comes most naturally.',
  achievement_drive: 'Sets demanding goals and works to exceed them.',
  autonomy_drive: 'Prefers to choose methods independently and to take responsibility for the outcome.',
  purpose_orientation: 'Wants work to serve something beyond personal gain.',
  persistence: 'Keeps going until a task is done, even when it is tedious or hard.',
  sincerity: 'Is genuine with people and does not flatter or pretend for advantage.',
  fair_dealing: 'Plays by the rules and refuses gain at others’ expense.',
  accountability: 'Owns commitments and mistakes, and follows through.',
  discretion: 'Respects confidences, and shares only what is theirs to share.',
};

/** Whether a string is one of the twenty codes. */
export function isTraitCode(code: string): code is TraitCode {
  return Object.hasOwn(traitMeanings, code);
}

/** The slot of a trait in a latent vector, 0 to 19. */
export function toTraitSlot(code: TraitCode): number {
  return traitCodes.indexOf(code);
}
