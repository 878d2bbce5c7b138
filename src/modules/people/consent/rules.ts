import type { ConsentType } from './consent-types.ts';
import type { ConsentRecord } from './resource.ts';

/** The categories of identity data that can be sold, each only while the member approves it. */
export const queryCategories = ['archetype', 'trait_profile', 'values_profile', 'alignment'] as const;

export type QueryCategory = (typeof queryCategories)[number];

/** A member's decision on one category. The last one counts. */
export type CategoryRecord = {
  readonly id: string;
  readonly member_id: string;
  readonly category: QueryCategory;
  readonly approved: boolean;
  readonly created_at: Date;
};

/** A decision in the history: on a type of consent, or on one category of its identity data. */
export type Decision = Pick<ConsentRecord, 'id' | 'consent_type' | 'granted' | 'created_at'> & {
  /** Null for a decision on the type as a whole. */
  readonly category: QueryCategory | null;
  /** The version of the text; null for a category, which has no text of its own. */
  readonly version: string | null;
};

/** What may be done with identity data: nothing, measuring (L1), selling the approved categories (L2), selling every category (L3). */
export const consentLevels = ['none', 'basic', 'selective', 'full'] as const;

export type ConsentLevel = (typeof consentLevels)[number];

/** Computes the level from the grants and approvals. Each level requires the one below: without assessment_data, nothing can be sold. */
export function computeConsentLevel(
  granted: ReadonlySet<ConsentType>,
  approved: ReadonlySet<QueryCategory>,
): ConsentLevel {
  if (!granted.has('assessment_data')) return 'none';
  if (!granted.has('identity_queries')) return 'basic';
  return queryCategories.every((category) => approved.has(category)) ? 'full' : 'selective';
}

/** Computes the level from a member's last decisions. */
export function computeLevelFromRecords(
  latest: readonly ConsentRecord[],
  categories: readonly CategoryRecord[],
): ConsentLevel {
  const granted = latest.filter((decision) => decision.granted).map(({ consent_type }) => consent_type);
  const approved = categories.filter((decision) => decision.approved).map(({ category }) => category);
  return computeConsentLevel(new Set(granted), new Set(approved));
}

/** Whether a member at this level may approve categories: at L2 and above. */
export function mayApprove(level: ConsentLevel): boolean {
  return consentLevels.indexOf(level) >= consentLevels.indexOf('selective');
}

/** Whether this decision takes the member below L2, which withdraws every approval. */
export function doesEndApprovals(consent_type: ConsentType, granted: boolean): boolean {
  return !granted && (consent_type === 'assessment_data' || consent_type === 'identity_queries');
}
