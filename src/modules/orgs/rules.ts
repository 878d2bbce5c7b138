/** Sizes of an organisation, ascending. */
export const organisationSizes = ['micro', 'small', 'mid_market', 'enterprise'] as const;

export type OrganisationSize = (typeof organisationSizes)[number];

/** Tiers of an organisation, ascending: a later one may do whatever an earlier one may. */
export const organisationTiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;

export type OrganisationTier = (typeof organisationTiers)[number];
