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

/** What of an identity can be sold, each only while the member approves of it. */
export const queryCategories = ['archetype', 'trait_profile', 'values_profile', 'alignment'] as const;

export type QueryCategory = (typeof queryCategories)[number];

/** One decision on one category. The last one counts. */
export type CategoryRecord = {
  readonly id: string;
  readonly member_id: string;
  readonly category: QueryCategory;
  readonly approved: boolean;
  readonly created_at: Date;
};

/** How much of an identity may be sold: nothing, nothing beyond measuring (L1), approved categories (L2), every category (L3). */
export const consentLevels = ['none', 'basic', 'selective', 'full'] as const;

export type ConsentLevel = (typeof consentLevels)[number];

/** The level that follows from what is granted and approved. Each needs the one below: without assessment_data there is nothing to sell. */
export function computeConsentLevel(
  granted: ReadonlySet<ConsentType>,
  approved: ReadonlySet<QueryCategory>,
): ConsentLevel {
  if (!granted.has('assessment_data')) return 'none';
  if (!granted.has('identity_queries')) return 'basic';
  return queryCategories.every((category) => approved.has(category)) ? 'full' : 'selective';
}

/** The level that follows from a member's last decisions. */
export function computeLevelFromRecords(
  latest: readonly ConsentRecord[],
  categories: readonly CategoryRecord[],
): ConsentLevel {
  const granted = latest.filter((decision) => decision.granted).map(({ consent_type }) => consent_type);
  const approved = categories.filter((decision) => decision.approved).map(({ category }) => category);
  return computeConsentLevel(new Set(granted), new Set(approved));
}

/** Whether categories can be approved at a level: at L2 and above. */
export function mayApprove(level: ConsentLevel): boolean {
  return consentLevels.indexOf(level) >= consentLevels.indexOf('selective');
}

/** Whether a withdrawal of this type takes the member below L2, and every approval with it. */
export function doesEndApprovals(consent_type: ConsentType, granted: boolean): boolean {
  return !granted && (consent_type === 'assessment_data' || consent_type === 'identity_queries');
}
