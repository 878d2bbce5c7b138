import type { TraitCode } from '#modules/traits';

/** A trait that a work style relates to, how strongly (0 to 1), and why. */
export type CrosswalkLink = {
  readonly trait: TraitCode;
  readonly weight: number;
  readonly reason: string;
};

/**
 * Maps each of the sixteen O*NET work styles to MVP-20 traits. A weight of 1 means that the style and the trait describe the same thing; a
 * lower weight means that the style covers a part of the trait. The weights are judgements based on the definitions, not estimates from
 * data: they are provisional until outcome data can correct them.
 *
 * Two traits are 0 for every occupation, because no work style relates to them: `decision_mode` and `conflict_style` are choices between
 * ways of acting, and an importance cannot express a choice. Four traits are covered only partly and therefore never reach the full
 * priority: `recovery_resilience`, `purpose_orientation`, `sincerity` and `discretion`.
 */
export const workStylesCrosswalk = {
  'Achievement/Effort': [
    { trait: 'achievement_drive', weight: 1, reason: 'Both definitions describe demanding personal goals.' },
  ],
  Persistence: [
    { trait: 'persistence', weight: 1, reason: 'Both definitions describe carrying on despite obstacles.' },
    { trait: 'recovery_resilience', weight: 0.3, reason: 'Obstacles are also setbacks to recover from.' },
  ],
  Initiative: [
    { trait: 'autonomy_drive', weight: 0.4, reason: 'Acting without instructions requires self-direction.' },
    { trait: 'achievement_drive', weight: 0.4, reason: 'Seeking challenges is part of ambition.' },
    { trait: 'accountability', weight: 0.3, reason: 'Taking on a task includes responsibility for it.' },
  ],
  Leadership: [
    {
      trait: 'social_initiative',
      weight: 1,
      reason: 'Both definitions describe taking charge and voicing opinions.',
    },
  ],
  Cooperation: [
    {
      trait: 'collaborative_orientation',
      weight: 1,
      reason: 'Both definitions describe good-natured shared work.',
    },
  ],
  'Concern for Others': [
    {
      trait: 'empathic_attunement',
      weight: 1,
      reason: 'Both definitions describe sensitivity to needs and feelings.',
    },
    {
      trait: 'purpose_orientation',
      weight: 0.5,
      reason: 'Helping others is one purpose beyond personal gain.',
    },
  ],
  'Social Orientation': [
    { trait: 'social_initiative', weight: 0.5, reason: 'Wanting contact is a part of initiating it.' },
    {
      trait: 'collaborative_orientation',
      weight: 0.5,
      reason: 'A preference for working with others is a part of collaboration.',
    },
  ],
  'Self Control': [
    {
      trait: 'pressure_response',
      weight: 0.6,
      reason: 'Composure in very difficult situations is a part of handling pressure.',
    },
    { trait: 'empathic_attunement', weight: 0.2, reason: 'Restraint towards others is a part of tact.' },
  ],
  'Stress Tolerance': [
    {
      trait: 'pressure_response',
      weight: 1,
      reason: 'Both definitions describe calm effectiveness under stress.',
    },
    {
      trait: 'recovery_resilience',
      weight: 0.4,
      reason: 'Accepting criticism is a small recovery from a setback.',
    },
  ],
  'Adaptability/Flexibility': [
    { trait: 'change_agility', weight: 1, reason: 'Both definitions describe openness to change.' },
    { trait: 'ambiguity_tolerance', weight: 0.6, reason: 'Varied work often has incomplete rules.' },
  ],
  Dependability: [
    { trait: 'accountability', weight: 1, reason: 'Both definitions describe fulfilling obligations.' },
  ],
  'Attention to Detail': [
    { trait: 'structure_preference', weight: 1, reason: 'Thorough work depends on planning and order.' },
  ],
  Integrity: [
    { trait: 'fair_dealing', weight: 1, reason: 'Ethical conduct includes playing by the rules.' },
    { trait: 'sincerity', weight: 0.8, reason: 'Honesty is most of sincerity.' },
    { trait: 'discretion', weight: 0.5, reason: 'Keeping confidences is a part of ethical conduct.' },
  ],
  Independence: [
    {
      trait: 'autonomy_drive',
      weight: 1,
      reason: 'Both definitions describe independent methods and little supervision.',
    },
  ],
  Innovation: [
    { trait: 'exploratory_curiosity', weight: 1, reason: 'New ideas come from looking beyond the task.' },
    { trait: 'ambiguity_tolerance', weight: 0.4, reason: 'Problems without a known answer are open-ended.' },
  ],
  'Analytical Thinking': [
    {
      trait: 'analytical_depth',
      weight: 1,
      reason: 'Both definitions describe logical analysis of problems.',
    },
    { trait: 'exploratory_curiosity', weight: 0.3, reason: 'Analysis looks for explanations.' },
  ],
} as const satisfies Record<string, readonly CrosswalkLink[]>;

/** The name of an O*NET work style in the column `Element Name`. */
export type WorkStyle = keyof typeof workStylesCrosswalk;

/** The sixteen names, in the order of the published file. */
export const workStyles: readonly WorkStyle[] = Object.keys(workStylesCrosswalk).filter(isWorkStyle);

/** Says whether a string is the name of one of the sixteen work styles. */
export function isWorkStyle(name: string): name is WorkStyle {
  return Object.hasOwn(workStylesCrosswalk, name);
}
