import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import { deleteKey } from './store.ts';
import { serviceKeyId } from './wire.ts';

export const revokeServiceKey = operation({
  name: 'serviceKeys.revokeServiceKey',
  title: 'Revoke a service key',
  summary: 'Ends a service key within a second, and the one before its last rotation.',
  who: ['org_admin'],
  input: Type.Object({ service_key_id: serviceKeyId }),
  output: { 204: null },
  refuses: ['service_key_not_found'],
  run: (context, { service_key_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      if ((await deleteKey(tx, { id, org_id })) === 0) throw new Refusal('service_key_not_found');
      tx.afterCommit(() => forgetKeys(context));
      const detail = { service_key_id: id };
      await recordCallerAudit(context, tx, { action: 'service_keys.revoked', org_id, detail });
      return null;
    }),
});
