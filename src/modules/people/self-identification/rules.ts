/** What a member may choose about themselves. Every question may stay open. */
export const identityChoices = {
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

/** The groups in which reports count members. Those who have chosen several answers of a question are one group, so that everyone counts once. */
export const identityAnswers = {
  ...identityChoices,
  gender: [...identityChoices.gender, 'several'],
} as const;

/** One of the questions. */
export type IdentityAttribute = keyof typeof identityChoices;

/** The questions, in the order of reports. */
export const identityAttributes = Object.keys(identityChoices) as readonly IdentityAttribute[];

/** The questions to which several answers may be chosen. */
export const openQuestions = ['gender', 'ethnicity'] as const satisfies readonly IdentityAttribute[];

type Choice<Attribute extends IdentityAttribute> = (typeof identityChoices)[Attribute][number];

/** The answers of a member; null or empty where the question stays open. */
export type SelfIdentification = {
  readonly gender: readonly Choice<'gender'>[];
  readonly age_band: Choice<'age_band'> | null;
  readonly ethnicity: readonly Choice<'ethnicity'>[];
  readonly disability: Choice<'disability'> | null;
};

/** The group of each question in which a member is counted; null where the question stays open. */
export type CountedIdentity = {
  readonly [Attribute in IdentityAttribute]: (typeof identityAnswers)[Attribute][number] | null;
};

/** A member who has said nothing. */
export const nothingStated: SelfIdentification = {
  gender: [],
  age_band: null,
  ethnicity: [],
  disability: null,
};

/** The answers that are offered to each question; none where the question is not asked. */
export type OfferedChoices = { readonly [Attribute in IdentityAttribute]: readonly Choice<Attribute>[] };

/** Finds the first question with an answer that is not offered. */
export function findUnofferedQuestion(
  answers: SelfIdentification,
  offered: OfferedChoices,
): IdentityAttribute | undefined {
  return identityAttributes.find((attribute) => {
    const choices: readonly string[] = offered[attribute];
    return listChosen(answers, attribute).some((chosen) => !choices.includes(chosen));
  });
}

export function selectOffered(answers: SelfIdentification, offered: OfferedChoices): SelfIdentification {
  const { age_band, disability } = answers;
  return {
    gender: answers.gender.filter((each) => offered.gender.includes(each)),
    age_band: age_band && offered.age_band.includes(age_band) ? age_band : null,
    ethnicity: answers.ethnicity.filter((each) => offered.ethnicity.includes(each)),
    disability: disability && offered.disability.includes(disability) ? disability : null,
  };
}

/** Lists what a member has chosen for a question, whether it takes one answer or several. */
function listChosen(answers: SelfIdentification, attribute: IdentityAttribute): readonly string[] {
  return [answers[attribute] ?? []].flat();
}
