import { Type, type Static } from 'typebox';
import { organisationResource, type DomainClaim, type Organisation } from '#modules/organisations/orgs';
import { closedObject, field, nullable, timestamp, uuid, toReply } from '#platform/schema.ts';

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
  ...organisationResource.wire.properties,
  suspended_at: field(
    nullable(timestamp),
    'Since when the organisation is suspended; null if it is not.',
    null,
  ),
};

/** An organisation in the operator's list. */
export const foundOrganisationWire = closedObject(operatedFields, { $id: 'FoundOrganisation' });

export function toFoundWire(organisation: Organisation): Static<typeof foundOrganisationWire> {
  return {
    ...organisationResource.toWire(organisation),
    suspended_at: organisation.suspended_at?.toISOString() ?? null,
  };
}

/** An organisation as the operator reads it. */
export const organisationDetailWire = closedObject(
  {
    ...operatedFields,
    domains: field(Type.Array(claimedDomainWire), 'The email domains of its single sign-on.'),
  },
  { $id: 'OrganisationDetail' },
);

export function toDomainWire(claim: DomainClaim) {
  return toReply(claimedDomainWire, claim);
}

export function toDetailWire(
  organisation: Organisation,
  domains: readonly DomainClaim[],
): Static<typeof organisationDetailWire> {
  return { ...toFoundWire(organisation), domains: domains.map(toDomainWire) };
}

/** What an act of the operator on an organisation has changed. */
export const organisationSuspensionWire = closedObject({
  org_id: uuid,
  suspended: field(Type.Boolean(), 'Whether the organisation is suspended now.', true),
});
