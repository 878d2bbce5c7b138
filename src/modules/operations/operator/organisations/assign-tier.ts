import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, uuid } from '#platform/schema.ts';
import {
  isTierSet,
  listDomainClaims,
  organisationTiers,
  recordTier,
  lockOrganisation,
} from '#modules/organisations/orgs';
import { organisationDetailWire, toDetailWire } from './wire.ts';

export const assignTier = operation({
  name: 'operator.assignTier',
  title: 'Set the tier of an organisation',
  summary:
    'Sets what an organisation may do: its tier limits active jobs and changes, and opens single sign-on. The limits apply from the next request.',
  who: ['platform_admin'],
  input: closedObject({
    org_id: uuid,
    tier: field(Type.Enum(organisationTiers), 'The new tier.', 'E3 Operator'),
  }),
  output: { 200: organisationDetailWire },
  etag: true,
  refuses: ['organisation_not_found'],
  run: (context, { org_id, tier }) =>
    context.transaction(async (tx) => {
      const before = requireFound(await lockOrganisation(tx, org_id), 'organisation_not_found');
      const domains = await listDomainClaims(tx, org_id);
      await checkIfMatch(context.request, () => toDetailWire(before, domains));
      // The tier that an organisation has by itself becomes the operator's word.
      if (before.tier !== tier || !(await isTierSet(tx, org_id)))
        await recordTier(context, tx, { org_id, tier, actor: context.caller });
      return toDetailWire({ ...before, tier }, domains);
    }),
});
