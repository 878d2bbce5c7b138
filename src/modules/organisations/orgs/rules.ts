import { createFieldRefusal, Refusal } from '#lib/refusal.ts';

/** Sizes of an organisation, ascending. */
export const organisationSizes = ['micro', 'small', 'mid_market', 'enterprise'] as const;

/** Tiers of an organisation, ascending: each includes the rights of the ones before it. */
export const organisationTiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;

export type OrganisationTier = (typeof organisationTiers)[number];

/** An organisation; a field that is not set is null. */
export type Organisation = {
  readonly id: string;
  readonly name: string;
  readonly industry: string | null;
  readonly size: (typeof organisationSizes)[number] | null;
  readonly tier: OrganisationTier;
  readonly headquarters_country: string | null;
  readonly website: string | null;
  /** Since when the operator has suspended the organisation; null if it is not suspended. */
  readonly suspended_at: Date | null;
  readonly created_at: Date;
};

/** The fields that an organisation sets itself. */
const profileFields = ['name', 'industry', 'size', 'headquarters_country', 'website'] as const;

type ProfileField = (typeof profileFields)[number];

/** A change of the profile: omitted fields stay, null clears a field. */
export type OrganisationPatch = { readonly [Field in ProfileField]?: Organisation[Field] | undefined };

export const website_characters_max = 300;

/**
 * Applies a change to an organisation.
 *
 * @throws Refusal `field_invalid` for a change without fields, and for a website that is not safe to link to.
 */
export function applyPatch(organisation: Organisation, patch: OrganisationPatch): Organisation {
  const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (changes.length === 0) {
    const reason = `must have at least one of ${profileFields.join(', ')}`;
    throw new Refusal('field_invalid', { detail: `The body ${reason}.`, errors: [{ pointer: '', reason }] });
  }
  if (typeof patch.website === 'string' && !isWebsite(patch.website))
    throw createFieldRefusal(
      'field_invalid',
      '/website',
      'must be an https URL with a public host name and without user information',
    );
  const trimmed = changes.map(
    ([field, value]) => [field, typeof value === 'string' ? value.trim() : value] as const,
  );
  return { ...organisation, ...Object.fromEntries(trimmed) };
}

/** The names of the fields that differ. */
export function listChangedFields(before: Organisation, after: Organisation): readonly ProfileField[] {
  return profileFields.filter((field) => before[field] !== after[field]);
}

/**
 * Whether an address is safe to show as a link: https only, without user information, which readers can mistake for the host, and with a
 * host name that has a dot and is not an IP address.
 */
function isWebsite(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}
