/** The uses of their data that a member can consent to. */
export const consentTypes = [
  'assessment_data',
  'matching',
  'credential_sharing',
  'identity_queries',
  'demographic_self_identification',
] as const;

export type ConsentType = (typeof consentTypes)[number];
