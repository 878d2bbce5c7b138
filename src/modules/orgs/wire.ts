import { Type, type Static } from 'typebox';
import { nullable, timestamp, uuid } from '#platform/schema.ts';
import { organisationSizes, organisationTiers, type Organisation } from './rules.ts';

/** The Organisation resource; what an organisation has not told is null. */
export const organisationWire = Type.Object(
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
  { $id: 'Organisation', additionalProperties: false },
);

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
