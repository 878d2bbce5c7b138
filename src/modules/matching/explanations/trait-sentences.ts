import type { TraitCode } from '#modules/traits';

/** Whom an explanation addresses: the member as "you", or the organisation, which reads about "this person". */
export type Reader = 'member' | 'organisation';

type Sentences = Readonly<Record<'strength' | 'growth', Readonly<Record<Reader, string>>>>;

/**
 * The sentences for each trait as a strength and as a growth area. They describe ways of working, never judge, and say of the job only
 * what its priority says: that it asks for the trait.
 */
export const traitSentences: Readonly<Record<TraitCode, Sentences>> = {
  pressure_response: buildSentences(
    'Pressure response',
    ['stay', 'stays', 'clear-headed when demands and stakes rise'],
    ['work', 'works', 'best in a calm setting', 'calm under pressure'],
  ),
  ambiguity_tolerance: buildSentences(
    'Ambiguity tolerance',
    ['work', 'works', 'well when goals or information are incomplete'],
    ['work', 'works', 'best with clear goals', 'work without them'],
  ),
  change_agility: buildSentences(
    'Change agility',
    ['adjust', 'adjusts', 'plans and habits readily when circumstances change'],
    ['prefer', 'prefers', 'steady ways of working', 'readiness to change them'],
  ),
  recovery_resilience: buildSentences(
    'Recovery resilience',
    ['make', 'makes', 'a new plan soon after a setback'],
    ['take', 'takes', 'time for a new plan after a setback', 'a quick new start'],
  ),
  analytical_depth: buildSentences(
    'Analytical depth',
    ['enjoy', 'enjoys', 'taking problems apart and following an argument to its end'],
    ['prefer', 'prefers', 'quick answers', 'thorough analysis'],
  ),
  exploratory_curiosity: buildSentences(
    'Exploratory curiosity',
    ['look', 'looks', 'beyond the task for new ideas and explanations'],
    ['prefer', 'prefers', 'what is known and proven', 'new ideas'],
  ),
  structure_preference: buildSentences(
    'Structure preference',
    ['plan', 'plans', 'ahead and in good order'],
    ['prefer', 'prefers', 'to improvise', 'planning and order'],
  ),
  decision_mode: buildSentences(
    'Decision mode',
    ['base', 'bases', 'decisions on reasoning and on the advice of others'],
    ['rely', 'relies', 'less on reasoning and advice', 'both in decisions'],
  ),
  collaborative_orientation: buildSentences(
    'Collaborative orientation',
    ['seek', 'seeks', 'shared work and the result of the group before personal credit'],
    ['prefer', 'prefers', 'to work alone', 'work with others'],
  ),
  social_initiative: buildSentences(
    'Social initiative',
    ['start', 'starts', 'conversations readily, with a lead among people'],
    ['leave', 'leaves', 'the lead to others more often than not', 'taking it'],
  ),
  empathic_attunement: buildSentences(
    'Empathic attunement',
    ['notice', 'notices', 'what others feel and what it means for the work'],
    ['put', 'puts', 'facts before feelings', 'attention to both'],
  ),
  conflict_style: buildSentences(
    'Conflict style',
    ['look', 'looks', 'for solutions that serve both sides of a disagreement'],
    ['settle', 'settles', 'disagreements in other ways than by common ground', 'seeking it'],
  ),
  achievement_drive: buildSentences(
    'Achievement drive',
    ['set', 'sets', 'demanding goals in order to exceed them'],
    ['prefer', 'prefers', 'a measured pace', 'demanding goals'],
  ),
  autonomy_drive: buildSentences(
    'Autonomy drive',
    ['work', 'works', 'independently and with responsibility for the outcome'],
    ['appreciate', 'appreciates', 'guidance', 'independent decisions'],
  ),
  purpose_orientation: buildSentences(
    'Purpose orientation',
    ['want', 'wants', 'work to serve something beyond personal gain'],
    ['have', 'has', 'other reasons to work than a cause', 'dedication to it'],
  ),
  persistence: buildSentences(
    'Persistence',
    ['keep', 'keeps', 'going until a task is done, even when it is tedious or hard'],
    ['prefer', 'prefers', 'variety', 'staying with a task'],
  ),
  sincerity: buildSentences(
    'Sincerity',
    ['show', 'shows', 'genuine opinions and no pretence'],
    ['put', 'puts', 'tact before openness at times', 'plain words'],
  ),
  fair_dealing: buildSentences(
    'Fair dealing',
    ['refuse', 'refuses', 'gain at the expense of others'],
    ['value', 'values', 'a good bargain', 'even-handedness'],
  ),
  accountability: buildSentences(
    'Accountability',
    ['take', 'takes', 'responsibility for commitments and mistakes'],
    ['prefer', 'prefers', 'shared responsibility', 'personal responsibility'],
  ),
  discretion: buildSentences(
    'Discretion',
    ['respect', 'respects', 'what is shared in confidence'],
    ['prefer', 'prefers', 'openness', 'care with confidences'],
  ),
};

/** Builds the sentences of a trait from its name, the forms of the verb for "you" and "this person", and the rest. */
function buildSentences(
  name: string,
  [you, person, rest]: readonly [you: string, person: string, rest: string],
  [youLess, personLess, other, demand]: readonly [you: string, person: string, other: string, demand: string],
): Sentences {
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
