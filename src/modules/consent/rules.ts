/** What a member can agree to. */
export const consentTypes = [
  'assessment_data',
  'matching',
  'credential_sharing',
  'identity_queries',
  'demographic_self_identification',
] as const;

export type ConsentType = (typeof consentTypes)[number];

/** One decision on one type. The last one counts. */
export type ConsentRecord = {
  readonly id: string;
  readonly member_id: string;
  readonly consent_type: ConsentType;
  readonly granted: boolean;
  readonly version: string;
  readonly created_at: Date;
};

/** How much of an identity may be sold: nothing, nothing beyond measuring (L1), approved categories (L2), every category (L3). */
export const consentLevels = ['none', 'basic', 'selective', 'full'] as const;

export type ConsentLevel = (typeof consentLevels)[number];

/** The level that follows from what is granted. Each level needs the one below: without assessment_data there is nothing to sell. */
export function consentLevel(granted: ReadonlySet<ConsentType>): ConsentLevel {
  if (!granted.has('assessment_data')) return 'none';
  return granted.has('identity_queries') ? 'selective' : 'basic';
}
