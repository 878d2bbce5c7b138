import { traitCodes, type TraitCode } from '#modules/measurement/traits';

/** The families of archetypes, each with its main contribution to shared work. */
export const archetypeFamilies = {
  wayfinding: 'Finding a direction when none is given.',
  craft: 'Getting the work itself right.',
  fellowship: 'Bringing people together.',
  stewardship: 'Being someone to rely on.',
} as const;

export type ArchetypeFamily = keyof typeof archetypeFamilies;

export const familyNames = [
  'wayfinding',
  'craft',
  'fellowship',
  'stewardship',
] as const satisfies readonly ArchetypeFamily[];

/** A named pattern of the twenty traits. */
export type ArchetypeTemplate = {
  readonly archetype: ArchetypeCode;
  readonly family: ArchetypeFamily;
  readonly name: string;
  readonly description: string;
  /** Means in the twenty slots of the taxonomy, in standard deviations of the population. */
  readonly vector: readonly number[];
};

/** The twelve archetypes by family; of equal archetypes the first is assigned. They are named after objects, because a member is not a type. */
export const archetypeCodes = [
  'compass',
  'lantern',
  'sail',
  'lens',
  'plumb_line',
  'whetstone',
  'hearth',
  'bridge',
  'bell',
  'keel',
  'keystone',
  'seal',
] as const;

export type ArchetypeCode = (typeof archetypeCodes)[number];

/** The version of the vectors. Changing a vector requires a new version. */
export const templatesVersion = 'archetypes-1';

type Pattern = Readonly<Partial<Record<TraitCode, number>>>;

/**
 * The twelve templates, written for this project. A vector translates its description into numbers: the main trait of the description is
 * 1.5, a trait that supports it is 0.5 or 1, a trait that such members rely on less is negative, and all others are 0, the mean of the
 * population. Every vector has a negative trait. Otherwise members with high values in all traits would all be nearest to the template
 * with the most positive traits. Of integrity_trust only discretion may be negative, where it means openness: no template describes a
 * member as untrustworthy. The slot of decision_mode is high for reason and consultation, that of conflict_style for joint solutions.
 */
export const archetypeTemplates: readonly ArchetypeTemplate[] = [
  buildTemplate(
    'compass',
    'wayfinding',
    'Compass',
    'Remembers what the work is for, and is guided by it when the way is unclear.',
    { purpose_orientation: 1.5, ambiguity_tolerance: 1, achievement_drive: -1, structure_preference: -0.5 },
  ),
  buildTemplate(
    'lantern',
    'wayfinding',
    'Lantern',
    'Explores what is still unknown, and returns with ideas.',
    {
      exploratory_curiosity: 1.5,
      analytical_depth: 0.5,
      autonomy_drive: 0.5,
      persistence: -1,
      pressure_response: -0.5,
    },
  ),
  buildTemplate(
    'sail',
    'wayfinding',
    'Sail',
    'Turns with the wind: adopts the new quickly and lets go of what no longer works.',
    {
      change_agility: 1.5,
      ambiguity_tolerance: 0.5,
      recovery_resilience: 0.5,
      structure_preference: -1,
      decision_mode: -0.5,
    },
  ),
  buildTemplate('lens', 'craft', 'Lens', 'Takes questions apart patiently until what matters is in focus.', {
    analytical_depth: 1.5,
    decision_mode: 1,
    exploratory_curiosity: 0.5,
    social_initiative: -1,
    empathic_attunement: -0.5,
  }),
  buildTemplate(
    'plumb_line',
    'craft',
    'Plumb Line',
    'Brings order and a clear plan, and keeps the work true to both.',
    {
      structure_preference: 1.5,
      accountability: 0.5,
      persistence: 0.5,
      ambiguity_tolerance: -1,
      change_agility: -1,
    },
  ),
  buildTemplate(
    'whetstone',
    'craft',
    'Whetstone',
    'Sets a high standard and keeps sharpening the work until it is met.',
    {
      achievement_drive: 1.5,
      persistence: 1,
      autonomy_drive: 0.5,
      collaborative_orientation: -0.5,
      conflict_style: -0.5,
    },
  ),
  buildTemplate(
    'hearth',
    'fellowship',
    'Hearth',
    'Notices how others are, and makes the group a place where people want to be.',
    { empathic_attunement: 1.5, collaborative_orientation: 1, autonomy_drive: -1, analytical_depth: -0.5 },
  ),
  buildTemplate(
    'bridge',
    'fellowship',
    'Bridge',
    'Listens to every side and builds an agreement that connects them.',
    {
      conflict_style: 1.5,
      fair_dealing: 1,
      decision_mode: 0.5,
      achievement_drive: -0.5,
      autonomy_drive: -0.5,
    },
  ),
  buildTemplate(
    'bell',
    'fellowship',
    'Bell',
    'Speaks up, calls people together and gets shared work moving.',
    {
      social_initiative: 1.5,
      collaborative_orientation: 0.5,
      achievement_drive: 0.5,
      discretion: -1,
      analytical_depth: -0.5,
    },
  ),
  buildTemplate('keel', 'stewardship', 'Keel', 'Stays level when demands are highest, and steadies others.', {
    pressure_response: 1.5,
    recovery_resilience: 1,
    empathic_attunement: -0.5,
    exploratory_curiosity: -0.5,
  }),
  buildTemplate(
    'keystone',
    'stewardship',
    'Keystone',
    'Sees every promise through, so that others can build on it.',
    {
      accountability: 1.5,
      persistence: 1,
      fair_dealing: 0.5,
      exploratory_curiosity: -0.5,
      change_agility: -0.5,
    },
  ),
  buildTemplate('seal', 'stewardship', 'Seal', 'Says what is true, and respects confidences.', {
    discretion: 1.5,
    sincerity: 1,
    fair_dealing: 0.5,
    social_initiative: -1,
  }),
];

function buildTemplate(
  archetype: ArchetypeCode,
  family: ArchetypeFamily,
  name: string,
  description: string,
  pattern: Pattern,
): ArchetypeTemplate {
  return { archetype, family, name, description, vector: traitCodes.map((code) => pattern[code] ?? 0) };
}
