import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { listChangedFields, applyPatch } from './rules.ts';
import { lockOrganisation, updateOrganisationProfile } from './store.ts';
import { organisationWire, profileInput, toWire } from './wire.ts';

export const updateOrganisation = operation({
  name: 'orgs.updateOrganisation',
  summary:
    'Changes what the organisation tells about itself: a field that is left out stays, null clears it; the name cannot be cleared.',
  who: ['org_admin'],
  input: Type.Partial(profileInput),
  output: { 200: organisationWire },
  refuses: ['organisation_not_found'],
  run: (context, patch) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      const before = await lockOrganisation(tx, org_id);
      if (!before) throw new Refusal('organisation_not_found');
      const after = applyPatch(before, patch);
      const fields = listChangedFields(before, after);
      if (fields.length === 0) return toWire(after);
      await updateOrganisationProfile(tx, after);
      await recordAudit(tx, {
        now: context.now(),
        actor_user_id: user_id,
        action: 'orgs.profile_updated',
        org_id,
        detail: { fields: fields.join(', ') },
      });
      return toWire(after);
    }),
});
