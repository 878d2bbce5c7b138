import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { checkOrganisationName } from './names/check-name.ts';
import { listChangedFields, applyPatch, checkWebsite } from './rules.ts';
import { lockOrganisation, updateOrganisationProfile } from './store.ts';
import { organisationResource } from './resource.ts';

export const updateOrganisation = operation({
  name: 'orgs.updateOrganisation',
  summary:
    'Changes the organisation’s profile. Omitted fields stay as they are, and null clears a field; the name cannot be cleared.',
  who: ['org_admin'],
  input: Type.Object(organisationResource.changeInput),
  output: { 200: organisationResource.wire },
  etag: true,
  refuses: ['organisation_not_found', 'organisation_name_taken'],
  checks: [checkWebsite],
  run: (context, patch) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const before = requireFound(await lockOrganisation(tx, org_id), 'organisation_not_found');
      await checkIfMatch(context.request, () => organisationResource.toWire(before));
      const after = applyPatch(before, patch);
      const fields = listChangedFields(before, after);
      if (fields.length === 0) return organisationResource.toWire(after);
      if (fields.includes('name')) await checkOrganisationName(context, tx, after);
      updateOrganisationProfile(tx, after);
      await recordCallerAudit(context, tx, {
        action: 'orgs.profile_updated',
        org_id,
        detail: { fields: fields.join(', ') },
      });
      return organisationResource.toWire(after);
    }),
});
