import type { TraitCode } from '#modules/traits';

/** One trait that a work style speaks to: how strongly, 0 to 1, and why. */
export type CrosswalkLink = {
  readonly trait: TraitCode;
  readonly weight: number;
  readonly reason: string;
};

/**
 * The sixteen O*NET work styles → MVP-20. A weight of 1 says that the style asks for the same thing as the trait; less says that it
 * asks for a part of it. The weights are a judgement on definitions and not an estimate from data: they are provisional, and outcomes
 * correct them. Every style maps.
 *
 * Two traits stay 0 for every occupation, because no work style speaks to them: `decision_mode` and `conflict_style` are choices among
 * ways of acting, and an importance says how much and never which. Four traits are reached only in part and can therefore never get
 * the full priority: `recovery_resilience`, `purpose_orientation`, `sincerity` and `discretion`.
 */
export const workStylesCrosswalk = {
  'Achievement/Effort': [
    { trait: 'achievement_drive', weight: 1, reason: 'Demanding personal goals are both definitions.' },
  ],
  Persistence: [
    { trait: 'persistence', weight: 1, reason: 'Carrying on in the face of obstacles is both definitions.' },
    { trait: 'recovery_resilience', weight: 0.3, reason: 'Obstacles are also setbacks to recover from.' },
  ],
  Initiative: [
    { trait: 'autonomy_drive', weight: 0.4, reason: 'Acting without being told takes self-direction.' },
    { trait: 'achievement_drive', weight: 0.4, reason: 'Seeking out challenges is a part of ambition.' },
    { trait: 'accountability', weight: 0.3, reason: 'What is taken on is then answered for.' },
  ],
  Leadership: [
    { trait: 'social_initiative', weight: 1, reason: 'Taking charge and offering opinions is the same act.' },
  ],
  Cooperation: [
    {
      trait: 'collaborative_orientation',
      weight: 1,
      reason: 'Good-natured shared work is both definitions.',
    },
  ],
  'Concern for Others': [
    {
      trait: 'empathic_attunement',
      weight: 1,
      reason: 'Sensitivity to needs and feelings is both definitions.',
    },
    { trait: 'purpose_orientation', weight: 0.5, reason: 'Helping others is one purpose beyond own gain.' },
  ],
  'Social Orientation': [
    { trait: 'social_initiative', weight: 0.5, reason: 'Wanting contact is half of starting it.' },
    { trait: 'collaborative_orientation', weight: 0.5, reason: 'Working with others instead of alone.' },
  ],
  'Self Control': [
    { trait: 'pressure_response', weight: 0.6, reason: 'Composure in very difficult situations.' },
    { trait: 'empathic_attunement', weight: 0.2, reason: 'Restraint towards people is a part of tact.' },
  ],
  'Stress Tolerance': [
    { trait: 'pressure_response', weight: 1, reason: 'Calm effectiveness under stress is both definitions.' },
    { trait: 'recovery_resilience', weight: 0.4, reason: 'Taking criticism well is a small recovery.' },
  ],
  'Adaptability/Flexibility': [
    { trait: 'change_agility', weight: 1, reason: 'Openness to change is both definitions.' },
    { trait: 'ambiguity_tolerance', weight: 0.6, reason: 'Variety at work comes with incomplete rules.' },
  ],
  Dependability: [
    { trait: 'accountability', weight: 1, reason: 'Fulfilling obligations is both definitions.' },
  ],
  'Attention to Detail': [
    { trait: 'structure_preference', weight: 1, reason: 'Thorough work rests on planning and order.' },
  ],
  Integrity: [
    { trait: 'fair_dealing', weight: 1, reason: 'Ethical conduct is playing by the rules.' },
    { trait: 'sincerity', weight: 0.8, reason: 'Honesty covers most of not pretending.' },
    { trait: 'discretion', weight: 0.5, reason: 'Keeping confidences is a part of ethical conduct.' },
  ],
  Independence: [
    {
      trait: 'autonomy_drive',
      weight: 1,
      reason: 'Own methods and little supervision are both definitions.',
    },
  ],
  Innovation: [
    { trait: 'exploratory_curiosity', weight: 1, reason: 'New ideas come from looking beyond the task.' },
    { trait: 'ambiguity_tolerance', weight: 0.4, reason: 'Problems without a known answer are open-ended.' },
  ],
  'Analytical Thinking': [
    { trait: 'analytical_depth', weight: 1, reason: 'Taking problems apart by logic is both definitions.' },
    { trait: 'exploratory_curiosity', weight: 0.3, reason: 'Analysis asks for explanations.' },
  ],
} as const satisfies Record<string, readonly CrosswalkLink[]>;

/** The name of an O*NET work style, as in the column `Element Name`. */
export type WorkStyle = keyof typeof workStylesCrosswalk;

/** The sixteen names, in the order of the published file. */
export const workStyles: readonly WorkStyle[] = Object.keys(workStylesCrosswalk).filter(isWorkStyle);

/** Whether a string names one of the sixteen work styles. */
export function isWorkStyle(name: string): name is WorkStyle {
  return Object.hasOwn(workStylesCrosswalk, name);
}
