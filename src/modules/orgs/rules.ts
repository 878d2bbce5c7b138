/** Sizes of an organisation, ascending. */
export const organisationSizes = ['micro', 'small', 'mid_market', 'enterprise'] as const;

/** Tiers of an organisation, ascending: a later one may do whatever an earlier one may. */
export const organisationTiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;

export type OrganisationTier = (typeof organisationTiers)[number];

/** An employer; null is what it has not told. */
export type Organisation = {
  readonly id: string;
  readonly name: string;
  readonly industry: string | null;
  readonly size: (typeof organisationSizes)[number] | null;
  readonly tier: OrganisationTier;
  readonly headquarters_country: string | null;
  readonly website: string | null;
  readonly created_at: Date;
};
