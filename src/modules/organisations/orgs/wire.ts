import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import type { DomainClaim } from './domains/rules.ts';
import { organisationSizes, organisationTiers, website_characters_max, type Organisation } from './rules.ts';

const sampleName = 'River Murray Trust';

/** The Organisation resource; a field that is not set is null. */
export const organisationWire = closedObject(
  {
    id: field(uuid, 'The id of the organisation.', sampleIds.organisation),
    name: field(Type.String(), 'The name of the organisation.', sampleName),
    industry: nullable(Type.String()),
    size: nullable(Type.Enum(organisationSizes)),
    tier: field(
      Type.Enum(organisationTiers),
      'What the organisation may do. Each tier includes the ones before it.',
      'E2 Builder',
    ),
    headquarters_country: nullable(Type.String()),
    website: nullable(Type.String()),
    created_at: timestamp,
  },
  { $id: 'Organisation' },
);

/** The fields that an organisation sets itself, in a request. */
export const profileInput = Type.Object({
  name: field(text(200), 'The name of the organisation.', sampleName),
  industry: nullable(text(100)),
  size: nullable(Type.Enum(organisationSizes)),
  headquarters_country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.' }),
  ),
  website: nullable(
    Type.String({
      // Printable ASCII without the characters that would end an address in a page or an email.
      pattern: '^https://[!#-;=?-\\[\\]_a-z~%]+$',
      maxLength: website_characters_max,
      description: 'An https URL.',
    }),
  ),
});

export function toWire(organisation: Organisation): Static<typeof organisationWire> {
  const { id, name, industry, size, tier, headquarters_country, website, created_at } = organisation;
  return {
    id,
    name,
    industry,
    size,
    tier,
    headquarters_country,
    website,
    created_at: created_at.toISOString(),
  };
}

/** An email domain that an organisation claims. Its challenge is the organisation's own. */
export const claimedDomainWire = closedObject({
  domain: field(Type.String(), 'The domain, in lower case.', 'rivermurraytrust.example'),
  verified_at: field(
    nullable(timestamp),
    'Since when it has been proven that the domain belongs to the organisation; null if it has not been.',
    '2026-03-04T14:30:00.000Z',
  ),
  verified_by: field(
    nullable(Type.Enum(['dns', 'operator'])),
    'How it was proven: by a TXT record, or to the operator.',
    'dns',
  ),
});

const operatedFields = {
  ...organisationWire.properties,
  suspended_at: field(
    nullable(timestamp),
    'Since when the organisation is suspended; null if it is not.',
    null,
  ),
};

/** An organisation in the operator's list. */
export const foundOrganisationWire = closedObject(operatedFields, { $id: 'FoundOrganisation' });

export function toFoundWire(organisation: Organisation): Static<typeof foundOrganisationWire> {
  return { ...toWire(organisation), suspended_at: organisation.suspended_at?.toISOString() ?? null };
}

/** An organisation as the operator reads it. */
export const organisationDetailWire = closedObject(
  {
    ...operatedFields,
    domains: field(Type.Array(claimedDomainWire), 'The email domains of its single sign-on.'),
  },
  { $id: 'OrganisationDetail' },
);

export function toDomainWire({
  domain,
  verified_at,
  verified_by,
}: DomainClaim): Static<typeof claimedDomainWire> {
  return { domain, verified_at: verified_at?.toISOString() ?? null, verified_by };
}

export function toDetailWire(
  organisation: Organisation,
  domains: readonly DomainClaim[],
): Static<typeof organisationDetailWire> {
  return { ...toFoundWire(organisation), domains: domains.map(toDomainWire) };
}
