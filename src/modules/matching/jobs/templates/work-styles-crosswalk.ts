import type { TraitCode } from '#modules/measurement/traits';

/** A trait that a work style relates to, how strongly (0 to 1), and why. */
export type CrosswalkLink = {
  readonly trait: TraitCode;
  readonly weight: number;
  readonly reason: string;
};

/**
 * Maps each of the sixteen work styles of O*NET up to release 29, which have an importance, to MVP-20 traits. A weight of 1 means that the style and the trait describe the same thing; a
 * lower weight means that the style covers a part of the trait. The weights are judgements based on the definitions, not estimates from
 * data: they are provisional until outcome data can correct them.
 *
 * Two traits are 0 for every occupation, because no work style relates to them: `decision_mode` and `conflict_style` are choices between
 * ways of acting, and an importance cannot express a choice. Four traits are covered only partly and therefore never reach the full
 * priority: `recovery_resilience`, `purpose_orientation`, `sincerity` and `discretion`.
 */
const importanceCrosswalk = {
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

/**
 * Maps each of the 21 work styles of O*NET from release 30, which have an impact, to MVP-20 traits. Some names are those of older styles,
 * with other definitions. The weights are judgements, as above. Here two traits are covered only partly: `purpose_orientation` and
 * `discretion`.
 */
const impactCrosswalk = {
  Innovation: [
    { trait: 'exploratory_curiosity', weight: 0.6, reason: 'New ideas come from looking beyond the task.' },
  ],
  'Achievement Orientation': [
    { trait: 'achievement_drive', weight: 1, reason: 'Both definitions describe demanding personal goals.' },
  ],
  'Intellectual Curiosity': [
    { trait: 'exploratory_curiosity', weight: 1, reason: 'Both definitions describe seeking new knowledge.' },
    { trait: 'analytical_depth', weight: 1, reason: 'A deep understanding requires analysis.' },
  ],
  'Tolerance for Ambiguity': [
    {
      trait: 'ambiguity_tolerance',
      weight: 1,
      reason: 'Both definitions describe work without clear rules.',
    },
  ],
  Initiative: [
    { trait: 'autonomy_drive', weight: 0.7, reason: 'Acting without instructions requires self-direction.' },
    { trait: 'achievement_drive', weight: 0.3, reason: 'Seeking responsibilities is part of ambition.' },
    { trait: 'accountability', weight: 0.2, reason: 'Taking on a task includes responsibility for it.' },
  ],
  Adaptability: [
    { trait: 'change_agility', weight: 1, reason: 'Both definitions describe openness to change.' },
  ],
  'Self-Confidence': [
    { trait: 'autonomy_drive', weight: 0.4, reason: 'Trust in one’s own abilities supports self-direction.' },
    { trait: 'recovery_resilience', weight: 0.2, reason: 'Trust in one’s own abilities outlasts setbacks.' },
  ],
  Perseverance: [
    { trait: 'persistence', weight: 1, reason: 'Both definitions describe carrying on despite obstacles.' },
    { trait: 'recovery_resilience', weight: 0.3, reason: 'Obstacles are also setbacks to recover from.' },
  ],
  'Leadership Orientation': [
    { trait: 'social_initiative', weight: 1, reason: 'Both definitions describe taking charge.' },
  ],
  Humility: [
    { trait: 'sincerity', weight: 0.3, reason: 'Not pretending to be more is a part of sincerity.' },
    { trait: 'collaborative_orientation', weight: 0.2, reason: 'Credit is shared with the group.' },
  ],
  Sincerity: [{ trait: 'sincerity', weight: 1, reason: 'Both definitions describe being genuine.' }],
  Empathy: [
    { trait: 'empathic_attunement', weight: 1, reason: 'Both definitions describe concern for feelings.' },
    {
      trait: 'purpose_orientation',
      weight: 0.5,
      reason: 'Helping others is one purpose beyond personal gain.',
    },
  ],
  Cooperation: [
    { trait: 'collaborative_orientation', weight: 1, reason: 'Both definitions describe shared work.' },
  ],
  Optimism: [
    { trait: 'recovery_resilience', weight: 0.4, reason: 'A positive outlook helps after setbacks.' },
  ],
  'Social Orientation': [
    { trait: 'social_initiative', weight: 0.5, reason: 'Wanting contact is a part of initiating it.' },
    {
      trait: 'collaborative_orientation',
      weight: 0.3,
      reason: 'A preference for working with others is a part of collaboration.',
    },
  ],
  Cautiousness: [
    { trait: 'structure_preference', weight: 0.3, reason: 'Careful work is planned.' },
    { trait: 'discretion', weight: 0.3, reason: 'Care includes care with what is said.' },
  ],
  'Attention to Detail': [
    { trait: 'structure_preference', weight: 1, reason: 'Thorough work depends on planning and order.' },
  ],
  Dependability: [
    { trait: 'accountability', weight: 1, reason: 'Both definitions describe fulfilling obligations.' },
  ],
  Integrity: [
    { trait: 'fair_dealing', weight: 1, reason: 'Ethical conduct includes playing by the rules.' },
    { trait: 'sincerity', weight: 0.3, reason: 'Honesty is a part of sincerity.' },
    { trait: 'discretion', weight: 0.5, reason: 'Keeping confidences is a part of ethical conduct.' },
  ],
  'Stress Tolerance': [
    {
      trait: 'pressure_response',
      weight: 1,
      reason: 'Both definitions describe effectiveness under stress.',
    },
    { trait: 'recovery_resilience', weight: 0.3, reason: 'Coping with stress includes recovering from it.' },
  ],
  'Self-Control': [
    {
      trait: 'pressure_response',
      weight: 0.6,
      reason: 'Composure in difficult situations is a part of handling pressure.',
    },
    { trait: 'empathic_attunement', weight: 0.2, reason: 'Restraint towards others is a part of tact.' },
  ],
} as const satisfies Record<string, readonly CrosswalkLink[]>;

/** The code in the column `Scale ID` of the rating that each layout of `Work Styles.txt` contains: importance or impact. */
export type WorkStyleScale = 'IM' | 'WI';

/** A layout of `Work Styles.txt`: the range of its ratings, and its work styles by the name in `Element Name`, in the order of the file. */
export type WorkStyleLayout = {
  readonly range: readonly [lowest: number, highest: number];
  readonly crosswalk: ReadonlyMap<string, readonly CrosswalkLink[]>;
};

/**
 * Up to release 29, incumbents and experts rated the importance of 16 styles from 1 to 5. From release 30, the impact of 21 styles on the
 * performance in the occupation is rated from -3 (very detrimental) through 0 (irrelevant) to +3 (very beneficial).
 */
export const workStyleLayouts: Readonly<Record<WorkStyleScale, WorkStyleLayout>> = {
  IM: { range: [1, 5], crosswalk: new Map(Object.entries(importanceCrosswalk)) },
  WI: { range: [-3, 3], crosswalk: new Map(Object.entries(impactCrosswalk)) },
};

export function isWorkStyleScale(code: string): code is WorkStyleScale {
  return Object.hasOwn(workStyleLayouts, code);
}
