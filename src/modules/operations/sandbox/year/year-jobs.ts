import type { TraitPriorities } from '#modules/measurement/traits';

/** A job of the year, as an organisation describes it. */
type YearJob = {
  readonly title: string;
  readonly outcome_description: string;
  readonly trait_priorities: TraitPriorities;
};

/** The jobs of the year, in the order in which they open. Their titles differ, so that an offer of a credential says which one it is about. */
export const yearJobs: readonly YearJob[] = [
  {
    title: 'Registered nurse',
    outcome_description: 'Patients recover without a second stay.',
    trait_priorities: { empathic_attunement: 1, pressure_response: 0.8, accountability: 0.6 },
  },
  {
    title: 'Night coordinator',
    outcome_description: 'Every ward has who it needs at night.',
    trait_priorities: { pressure_response: 1, structure_preference: 0.7, collaborative_orientation: 0.5 },
  },
  {
    title: 'Clinical pharmacist',
    outcome_description: 'No patient gets the wrong dose.',
    trait_priorities: { accountability: 1, structure_preference: 0.9, analytical_depth: 0.6 },
  },
  {
    title: 'Physiotherapist',
    outcome_description: 'People walk again, and keep walking.',
    trait_priorities: { empathic_attunement: 0.9, persistence: 0.8, social_initiative: 0.4 },
  },
  {
    title: 'Ward manager',
    outcome_description: 'The team stays, and so do its standards.',
    trait_priorities: { collaborative_orientation: 1, fair_dealing: 0.8, change_agility: 0.5 },
  },
  {
    title: 'Medical records analyst',
    outcome_description: 'Every record is complete and confidential.',
    trait_priorities: { discretion: 1, analytical_depth: 0.8, persistence: 0.4 },
  },
  {
    title: 'Paramedic',
    outcome_description: 'Help arrives calm and in time.',
    trait_priorities: { pressure_response: 1, recovery_resilience: 0.8, ambiguity_tolerance: 0.6 },
  },
  {
    title: 'Social worker',
    outcome_description: 'Nobody goes home to nothing.',
    trait_priorities: { empathic_attunement: 1, purpose_orientation: 0.8, fair_dealing: 0.5 },
  },
  {
    title: 'Research assistant',
    outcome_description: 'Trials end with data that can be trusted.',
    trait_priorities: { exploratory_curiosity: 1, sincerity: 0.7, structure_preference: 0.5 },
  },
  {
    title: 'Receptionist',
    outcome_description: 'Everyone is seen, and knows when.',
    trait_priorities: { social_initiative: 1, empathic_attunement: 0.6, discretion: 0.5 },
  },
  {
    title: 'Theatre technician',
    outcome_description: 'Every instrument is there before it is needed.',
    trait_priorities: { structure_preference: 1, accountability: 0.7, pressure_response: 0.5 },
  },
  {
    title: 'Community midwife',
    outcome_description: 'Mothers and children are well at home.',
    trait_priorities: { autonomy_drive: 0.9, empathic_attunement: 0.8, sincerity: 0.5 },
  },
];
