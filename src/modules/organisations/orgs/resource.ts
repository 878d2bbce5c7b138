import { Type } from 'typebox';
import { editable, fixed, resource, type ChangeableFields, type Row } from '#platform/resource.ts';
import { field, nullable, text, timestamp, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';

export const organisationSizes = ['micro', 'small', 'mid_market', 'enterprise'] as const;

/** Tiers of an organisation, ascending: each includes the rights of the ones before it. */
export const organisationTiers = ['E1 Explorer', 'E2 Builder', 'E3 Operator', 'partner'] as const;

export type OrganisationTier = (typeof organisationTiers)[number];

const describeName = (schema: ReturnType<typeof Type.String>) =>
  field(schema, 'The name of the organisation.', 'River Murray Trust');

const countryInput = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2, such as AU.' });
const websiteInput = Type.String({
  // Printable ASCII without the characters that would end an address in a page or an email.
  pattern: '^https://[!#-;=?-\\[\\]_a-z~%]+$',
  maxLength: 300,
  description: 'An https URL.',
});

/** An organisation; a field that is not set is null. New ones have a name only, and the other columns start as the table says. */
export const organisationResource = resource(
  { table: 'organisations', $id: 'Organisation' },
  {
    id: fixed(field(uuid, 'The id of the organisation.', sampleIds.organisation)),
    name: editable(describeName(Type.String()), { input: describeName(text(200)) }),
    industry: editable(nullable(Type.String()), { input: nullable(text(100)) }),
    size: editable(nullable(Type.Enum(organisationSizes))),
    tier: fixed(
      field(
        Type.Enum(organisationTiers),
        'What the organisation may do. Each tier includes the ones before it.',
        'E2 Builder',
      ),
    ),
    headquarters_country: editable(nullable(Type.String()), { input: nullable(countryInput) }),
    website: editable(nullable(Type.String()), { input: nullable(websiteInput) }),
    created_at: fixed(timestamp, { as: 'time' }),
    /** Since when the operator has suspended the organisation; null if it is not suspended. */
    suspended_at: fixed(nullable(timestamp), { as: 'time', hidden: true }),
  },
);

export type Organisation = Row<typeof organisationResource>;

/** The fields that an organisation sets itself. */
type Profile = ChangeableFields<typeof organisationResource>;

export type ProfileField = keyof Profile;

/** A change of the profile: omitted fields stay, null clears a field. */
export type OrganisationPatch = { readonly [Field in ProfileField]?: Profile[Field] | undefined };
