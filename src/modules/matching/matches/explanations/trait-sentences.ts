import { traitNames, type TraitCode } from '#modules/measurement/traits';

/** Whom an explanation addresses: the member as "you", or the organisation, which reads about "this person". */
export type Reader = 'member' | 'organisation';

type Sentences = Readonly<Record<'strength' | 'growth', Readonly<Record<Reader, string>>>>;

/**
 * The sentences for each trait as a strength and as a growth area. They describe ways of working, never judge, and say of the job only
 * what its priority says: that it asks for the trait.
 */
export const traitSentences: Readonly<Record<TraitCode, Sentences>> = {
  pressure_response: buildSentences(
    'pressure_response',
    ['stay', 'stays', 'clear-headed when demands and stakes rise'],
    ['work', 'works', 'best in a calm setting', 'calm under pressure'],
  ),
  ambiguity_tolerance: buildSentences(
    'ambiguity_tolerance',
    ['work', 'works', 'well when goals or information are incomplete'],
    ['work', 'works', 'best with clear goals', 'work without them'],
  ),
  change_agility: buildSentences(
    'change_agility',
    ['adjust', 'adjusts', 'plans and habits readily when circumstances change'],
    ['prefer', 'prefers', 'steady ways of working', 'readiness to change them'],
  ),
  recovery_resilience: buildSentences(
    'recovery_resilience',
    ['make', 'makes', 'a new plan soon after a setback'],
    ['take', 'takes', 'time for a new plan after a setback', 'a quick new start'],
  ),
  analytical_depth: buildSentences(
    'analytical_depth',
    ['enjoy', 'enjoys', 'taking problems apart and following an argument to its end'],
    ['prefer', 'prefers', 'quick answers', 'thorough analysis'],
  ),
  exploratory_curiosity: buildSentences(
    'exploratory_curiosity',
    ['look', 'looks', 'beyond the task for new ideas and explanations'],
    ['prefer', 'prefers', 'what is known and proven', 'new ideas'],
  ),
  structure_preference: buildSentences(
    'structure_preference',
    ['plan', 'plans', 'ahead and in good order'],
    ['prefer', 'prefers', 'to improvise', 'planning and order'],
  ),
  decision_mode: buildSentences(
    'decision_mode',
    ['base', 'bases', 'decisions on reasoning and on the advice of others'],
    ['rely', 'relies', 'less on reasoning and advice', 'both in decisions'],
  ),
  collaborative_orientation: buildSentences(
    'collaborative_orientation',
    ['seek', 'seeks', 'shared work and the result of the group before personal credit'],
    ['prefer', 'prefers', 'to work alone', 'work with others'],
  ),
  social_initiative: buildSentences(
    'social_initiative',
    ['start', 'starts', 'conversations readily, with a lead among people'],
    ['leave', 'leaves', 'the lead to others more often than not', 'taking it'],
  ),
  empathic_attunement: buildSentences(
    'empathic_attunement',
    ['notice', 'notices', 'what others feel and what it means for the work'],
    ['put', 'puts', 'facts before feelings', 'attention to both'],
  ),
  conflict_style: buildSentences(
    'conflict_style',
    ['look', 'looks', 'for solutions that serve both sides of a disagreement'],
    ['settle', 'settles', 'disagreements in other ways than by common ground', 'seeking it'],
  ),
  achievement_drive: buildSentences(
    'achievement_drive',
    ['set', 'sets', 'demanding goals in order to exceed them'],
    ['prefer', 'prefers', 'a measured pace', 'demanding goals'],
  ),
  autonomy_drive: buildSentences(
    'autonomy_drive',
    ['work', 'works', 'independently and with responsibility for the outcome'],
    ['appreciate', 'appreciates', 'guidance', 'independent decisions'],
  ),
  purpose_orientation: buildSentences(
    'purpose_orientation',
    ['want', 'wants', 'work to serve something beyond personal gain'],
    ['have', 'has', 'other reasons to work than a cause', 'dedication to it'],
  ),
  persistence: buildSentences(
    'persistence',
    ['keep', 'keeps', 'going until a task is done, even when it is tedious or hard'],
    ['prefer', 'prefers', 'variety', 'staying with a task'],
  ),
  sincerity: buildSentences(
    'sincerity',
    ['show', 'shows', 'genuine opinions and no pretence'],
    ['put', 'puts', 'tact before openness at times', 'plain words'],
  ),
  fair_dealing: buildSentences(
    'fair_dealing',
    ['refuse', 'refuses', 'gain at the expense of others'],
    ['value', 'values', 'a good bargain', 'even-handedness'],
  ),
  accountability: buildSentences(
    'accountability',
    ['take', 'takes', 'responsibility for commitments and mistakes'],
    ['prefer', 'prefers', 'shared responsibility', 'personal responsibility'],
  ),
  discretion: buildSentences(
    'discretion',
    ['respect', 'respects', 'what is shared in confidence'],
    ['prefer', 'prefers', 'openness', 'care with confidences'],
  ),
};

/** Builds the sentences of a trait from its code, the forms of the verb for "you" and "this person", and the rest. */
function buildSentences(
  code: TraitCode,
  [you, person, rest]: readonly [you: string, person: string, rest: string],
  [youLess, personLess, other, demand]: readonly [you: string, person: string, other: string, demand: string],
): Sentences {
  const name = traitNames[code];
  return {
    strength: {
      member: `${name}: you ${you} ${rest}.`,
      organisation: `${name}: this person ${person} ${rest}.`,
    },
    growth: {
      member: `${name}: you ${youLess} ${other}, and this job asks for ${demand}.`,
      organisation: `${name}: this person ${personLess} ${other}, and this job asks for ${demand}.`,
    },
  };
}
