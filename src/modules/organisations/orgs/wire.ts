import { Type, type Static } from 'typebox';
import { closedObject, field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
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
