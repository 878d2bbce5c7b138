/** What a member may say about themselves, and the answers that each question has. Every question may stay open. */
export const identityAnswers = {
  gender: ['woman', 'man', 'non_binary', 'another'],
  age_band: ['under_25', '25_to_34', '35_to_44', '45_to_54', '55_to_64', '65_and_over'],
  ethnicity: [
    'asian',
    'black',
    'hispanic_or_latino',
    'indigenous',
    'middle_eastern_or_north_african',
    'pacific_islander',
    'white',
    'several',
    'another',
  ],
  disability: ['yes', 'no'],
} as const;

/** One of the questions. */
export type IdentityAttribute = keyof typeof identityAnswers;

/** The questions, in the order of reports. */
export const identityAttributes = Object.keys(identityAnswers) as readonly IdentityAttribute[];

/** The answers of a member; null where the question stays open. */
export type SelfIdentification = {
  readonly [Attribute in IdentityAttribute]: (typeof identityAnswers)[Attribute][number] | null;
};

/** A member who has said nothing. */
export const nothingStated: SelfIdentification = {
  gender: null,
  age_band: null,
  ethnicity: null,
  disability: null,
};
