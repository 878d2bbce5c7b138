import { createFieldRefusal, Refusal } from '#lib/refusal.ts';

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

/** What an organisation tells about itself. */
const profileFields = ['name', 'industry', 'size', 'headquarters_country', 'website'] as const;

type ProfileField = (typeof profileFields)[number];

/** A change of it: what is left out stays, null clears. */
export type OrganisationPatch = { readonly [Field in ProfileField]?: Organisation[Field] | undefined };

export const website_characters_max = 300;

/**
 * The organisation as a change leaves it.
 *
 * @throws Refusal `field_invalid` for a change of nothing, and for a website that no browser would open safely.
 */
export function applyPatch(organisation: Organisation, patch: OrganisationPatch): Organisation {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (given.length === 0) {
    const reason = `needs at least one of ${profileFields.join(', ')}`;
    throw new Refusal('field_invalid', { detail: `The body ${reason}.`, errors: [{ pointer: '', reason }] });
  }
  if (typeof patch.website === 'string' && !isWebsite(patch.website))
    throw createFieldRefusal(
      'field_invalid',
      '/website',
      'must be an https URL of a public host name, without a user',
    );
  const trimmed = given.map(
    ([field, value]) => [field, typeof value === 'string' ? value.trim() : value] as const,
  );
  return { ...organisation, ...Object.fromEntries(trimmed) };
}

/** The names of the fields in which two states differ. */
export function listChangedFields(before: Organisation, after: Organisation): readonly ProfileField[] {
  return profileFields.filter((field) => before[field] !== after[field]);
}

/** An address that others are led to: no other scheme, no user that stands where people look for the host, no bare or numeric host. */
function isWebsite(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}
