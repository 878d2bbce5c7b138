import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { deleteConnection as deleteStored } from '../store.ts';
import { partnerName } from '../wire.ts';

export const deleteConnection = operation({
  name: 'partners.deleteConnection',
  title: 'Disconnect an applicant tracking system',
  summary:
    'Deletes the key of an applicant tracking system. No notice is sent any more: neither results, nor that a result was recalled.',
  who: ['org_admin'],
  input: Type.Object({ partner: partnerName }),
  output: { 204: null },
  refuses: ['partner_not_connected'],
  run: (context, { partner }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      if (!(await deleteStored(tx, { org_id, partner }))) throw new Refusal('partner_not_connected');
      const detail = { partner };
      await recordCallerAudit(context, tx, { action: 'partners.disconnected', org_id, detail });
      return null;
    }),
});
