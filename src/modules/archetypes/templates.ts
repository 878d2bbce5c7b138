import { traitCodes, type TraitCode } from '#modules/traits';

/** The families of archetypes, by what people of that shape bring to shared work first. */
export const archetypeFamilies = {
  wayfinding: 'Finding a direction where there is none yet.',
  craft: 'Getting the work itself right.',
  fellowship: 'Bringing people together.',
  stewardship: 'Being someone to rely on.',
} as const;

export type ArchetypeFamily = keyof typeof archetypeFamilies;

/** A shape of the twenty traits with a name: what is high in it, and what is low, in standard deviations of the population. */
export type ArchetypeTemplate = {
  readonly archetype: ArchetypeCode;
  readonly family: ArchetypeFamily;
  readonly name: string;
  readonly description: string;
  /** Means in the twenty slots of the taxonomy. */
  readonly vector: readonly number[];
};

/** The twelve archetypes by family, in the order that settles ties. They are called after things, since no person is a type. */
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

/** Names the templates' content: any change of a vector is a new version. */
export const templatesVersion = 'archetypes-1';

type Shape = Readonly<Partial<Record<TraitCode, number>>>;

/**
 * Twelve own templates. A vector is a reading of the sentence beside it: the trait that the sentence is about stands at 1.5, one that
 * serves it at 0.5 or 1, one that people of this shape lean on less below zero, and all others at the population's mean, 0. Every
 * vector has something below zero, or people high on every trait would all be nearest to the vector with the most above it. Of
 * integrity_trust only discretion goes below zero, where it stands for openness: no template says of anybody that they cannot be
 * trusted. The slot of decision_mode is high for reason and consultation, that of conflict_style for finding a solution together.
 */
export const archetypeTemplates: readonly ArchetypeTemplate[] = [
  buildTemplate(
    'compass',
    'wayfinding',
    'Compass',
    'Keeps sight of what the work is for, and steers by it where no path is drawn.',
    { purpose_orientation: 1.5, ambiguity_tolerance: 1, achievement_drive: -1, structure_preference: -0.5 },
  ),
  buildTemplate(
    'lantern',
    'wayfinding',
    'Lantern',
    'Goes ahead into what nobody has looked at yet, and comes back with ideas.',
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
    'Turns with the wind: takes up the new quickly and lets go of what has had its time.',
    {
      change_agility: 1.5,
      ambiguity_tolerance: 0.5,
      recovery_resilience: 0.5,
      structure_preference: -1,
      decision_mode: -0.5,
    },
  ),
  buildTemplate(
    'lens',
    'craft',
    'Lens',
    'Takes questions apart with patience until what matters is in focus.',
    {
      analytical_depth: 1.5,
      decision_mode: 1,
      exploratory_curiosity: 0.5,
      social_initiative: -1,
      empathic_attunement: -0.5,
    },
  ),
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
  buildTemplate('whetstone', 'craft', 'Whetstone', 'Sets a high mark and keeps sharpening until it is met.', {
    achievement_drive: 1.5,
    persistence: 1,
    autonomy_drive: 0.5,
    collaborative_orientation: -0.5,
    conflict_style: -0.5,
  }),
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
    'Hears every side and builds the agreement that all can walk on.',
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
  buildTemplate(
    'keel',
    'stewardship',
    'Keel',
    'Stays level when the demands are heaviest, and steadies those around.',
    {
      pressure_response: 1.5,
      recovery_resilience: 1,
      empathic_attunement: -0.5,
      exploratory_curiosity: -0.5,
    },
  ),
  buildTemplate(
    'keystone',
    'stewardship',
    'Keystone',
    'Carries what was promised, to the end, so that others can build on it.',
    {
      accountability: 1.5,
      persistence: 1,
      fair_dealing: 0.5,
      exploratory_curiosity: -0.5,
      change_agility: -0.5,
    },
  ),
  buildTemplate('seal', 'stewardship', 'Seal', 'Says what is true, and keeps what was told in confidence.', {
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
  shape: Shape,
): ArchetypeTemplate {
  return { archetype, family, name, description, vector: traitCodes.map((code) => shape[code] ?? 0) };
}
