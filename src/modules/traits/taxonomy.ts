/**
 * MVP-20: the twenty traits that members are measured on and jobs ask for, in five families of four. The order is the order of the
 * slots in every latent vector, so it never changes; a new taxonomy is a new version.
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

/** The two traits that are a choice among ways of acting, not a more or less. */
export const categoricalTraits = {
  decision_mode: ['rational', 'intuitive', 'consultative', 'spontaneous', 'deferring'],
  conflict_style: ['competing', 'collaborating', 'compromising', 'avoiding', 'accommodating'],
} as const;

export type TraitFamily = keyof typeof traitFamilies;
export type TraitCode = (typeof traitFamilies)[TraitFamily][number];
export type CategoricalTrait = keyof typeof categoricalTraits;
export type ContinuousTrait = Exclude<TraitCode, CategoricalTrait>;

/** How much a job asks for each trait, from 0 to 1; a trait that is left out counts for nothing. */
export type TraitPriorities = Readonly<Partial<Record<TraitCode, number>>>;

/** All twenty codes, in slot order. */
export const traitCodes: readonly TraitCode[] = Object.values(traitFamilies).flat();

/** The eighteen codes measured on a continuum, in slot order. */
export const continuousTraits: readonly ContinuousTrait[] = traitCodes.filter(
  (code): code is ContinuousTrait => !(code in categoricalTraits),
);

/** What each trait means, in one sentence for members and organisations alike: what somebody high on it tends to do. */
export const traitMeanings: Readonly<Record<TraitCode, string>> = {
  pressure_response: 'Stays clear-headed and effective when demands and stakes rise.',
  ambiguity_tolerance: 'Works well when goals, rules or information are incomplete.',
  change_agility: 'Adjusts plans, tools and habits readily when circumstances change.',
  recovery_resilience: 'Regains balance and energy soon after setbacks.',
  analytical_depth: 'Enjoys taking problems apart and following an argument to its end.',
  exploratory_curiosity: 'Looks beyond the task for new ideas, fields and explanations.',
  structure_preference: 'Plans ahead and keeps work, time and materials in order.',
  decision_mode: 'The way of reaching decisions that comes most naturally.',
  collaborative_orientation: 'Seeks shared work and puts the group’s result first.',
  social_initiative: 'Starts conversations, speaks up and takes the lead among people.',
  empathic_attunement: 'Notices what others feel and takes it into account.',
  conflict_style: 'The way of handling disagreement that comes most naturally.',
  achievement_drive: 'Sets demanding goals and works to exceed them.',
  autonomy_drive: 'Prefers to choose own methods and to answer for the outcome.',
  purpose_orientation: 'Wants work to serve something beyond personal gain.',
  persistence: 'Keeps going until a task is done, also when it is tedious or hard.',
  sincerity: 'Is genuine with people and does not flatter or pretend for advantage.',
  fair_dealing: 'Plays by the rules and refuses gain at others’ expense.',
  accountability: 'Owns commitments and mistakes, and follows through.',
  discretion: 'Keeps what was told in confidence, and shares only what is theirs to share.',
};

/** Whether a string is one of the twenty codes. */
export function isTraitCode(code: string): code is TraitCode {
  return Object.hasOwn(traitMeanings, code);
}

/** The slot of a trait in a latent vector, 0 to 19. */
export function toTraitSlot(code: TraitCode): number {
  return traitCodes.indexOf(code);
}
