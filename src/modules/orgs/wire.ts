import { Type, type Static } from 'typebox';
import { closedObject, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { organisationSizes, organisationTiers, website_characters_max, type Organisation } from './rules.ts';

/** The Organisation resource; a field that is not set is null. */
export const organisationWire = closedObject(
  {
    id: uuid,
    name: Type.String(),
    industry: nullable(Type.String()),
    size: nullable(Type.Enum(organisationSizes)),
    tier: Type.Enum(organisationTiers),
    headquarters_country: nullable(Type.String()),
    website: nullable(Type.String()),
    created_at: timestamp,
  },
  { $id: 'Organisation' },
);

/** The fields that an organisation sets itself, in a request. */
export const profileInput = Type.Object({
  name: text(200),
  industry: nullable(text(100)),
  size: nullable(Type.Enum(organisationSizes)),
  headquarters_country: nullable(
    Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.' }),
  ),
  website: nullable(
    Type.String({
      // Printable ASCII without the characters that would end an address in a page or an e-mail.
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
