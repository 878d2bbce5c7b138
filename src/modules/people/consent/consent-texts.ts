import type { ConsentType } from './consent-types.ts';

/** The published versions, oldest first; the last one is current. Each has a text for every type of consent. */
export const consentVersions = ['1.0', '1.1', '1.2'] as const;

export type ConsentVersion = (typeof consentVersions)[number];

/** The versions in which a member agrees to all that organisations read in detail. Until then, organisations read as little as under the first version. */
export const detailedVersions: readonly ConsentVersion[] = ['1.2'];

const firstTexts: Readonly<Record<ConsentType, string>> = {
  assessment_data:
    'I agree that this service stores my answers to the assessment, computes my traits and my archetype from them, and shows the results to me. My answers, without my name, may be used to calibrate the assessment. If I withdraw this consent, the results are no longer used and my open matches end.',
  matching:
    'I agree that this service compares my traits, my profile and my preferences with jobs, and shows the resulting matches to the organisations that offer them. Organisations see labels and explanations in words, and no number about me. If I withdraw this consent, my open matches end. Matches that I already have stay in the records of both sides.',
  credential_sharing:
    'I agree that the credentials that I make visible can be read and verified by anyone who has their address. If I withdraw this consent, their content is no longer shown. A copy that I have given to somebody can still be verified until it expires or is revoked.',
  identity_queries:
    'I agree that organisations may pay to read those categories of my identity data that I approve one by one. They see me under a pseudonym, as labels, without numbers and without my name. If I withdraw this consent, all approvals end and the next read is refused.',
  demographic_self_identification:
    'I agree that this service stores the information about myself that I choose to give for statistics about fairness. It is stored apart from my other data, appears only in statistics about many members, and is never used to match me.',
};

/** What a member agrees to. A published text never changes: a new wording is a new version. */
export const consentTexts: Readonly<Record<ConsentVersion, Readonly<Record<ConsentType, string>>>> = {
  '1.0': firstTexts,
  '1.1': {
    ...firstTexts,
    matching:
      'I agree that this service compares my traits, my profile and my preferences with jobs, and shows the resulting matches to the organisations that offer them. Organisations see labels and explanations in words, and no number about me. For one of its jobs a year, an organisation may read about me in detail: of the three to five things that the job asks most, whether it is clear, likely or open on which side of the average I am, and two questions for a conversation about what is not clear. For its other jobs it reads about the two things that each asks most. It reads nothing about integrity. Once I have accepted its interest in a job, it reads all of this for that job. If I withdraw this consent, my open matches end. Matches that I already have stay in the records of both sides.',
  },
  '1.2': {
    ...firstTexts,
    matching:
      'I agree that this service compares my traits, my profile and my preferences with jobs, and shows the resulting matches to the organisations that offer them. Organisations see labels and explanations in words, and no number about me. For one of its jobs a year, an organisation may read about me in detail: of the three to five things that the job asks most, whether it is clear, likely or open on which side of the average I am, whether I am far from it, which of these things is the most and which the least pronounced in me, and two questions for a conversation about what is not clear. For its other jobs it reads about the two things that each asks most. It reads nothing about integrity. Once I have accepted its interest in a job, it reads all of this for that job. If I withdraw this consent, my open matches end. Matches that I already have stay in the records of both sides.',
  },
};

/** Whether a member who has agreed to a version would agree to something else now. */
export function hasNewText(consent_type: ConsentType, version: string): boolean {
  const known = consentVersions.find((each) => each === version);
  const current = consentVersions[consentVersions.length - 1]!;
  return known !== undefined && consentTexts[known][consent_type] !== consentTexts[current][consent_type];
}
