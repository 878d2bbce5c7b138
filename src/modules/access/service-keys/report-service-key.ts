import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import { isKey } from './key-text.ts';
import { nameNotice } from './rules.ts';
import { deleteKeyByHash } from './store.ts';

export const reportServiceKey = operation({
  name: 'serviceKeys.reportServiceKey',
  title: 'Report a leaked service key',
  summary:
    'Revokes a service key that was found in a public place. Anyone who knows it may do so. The administrators of its organisation, or of the service, receive an email. The reply is the same for an unknown key.',
  who: 'anyone',
  input: Type.Object({
    key: field(Type.String({ minLength: 1, maxLength: 200 }), 'The key that was found.', 'tsk_4f1c…9c4e'),
  }),
  output: { 204: null },
  run: async (context, { key }) => {
    if (!isKey(key)) return null;
    return context.transaction(async (tx) => {
      const now = context.now();
      const revoked = await deleteKeyByHash(tx, { key_hash: hashToken(key), now });
      if (!revoked) return null;
      const { id, org_id } = revoked;
      tx.afterCommit(() => forgetKeys(context));
      const detail = { service_key_id: id };
      await recordAudit(tx, { now, actor: null, action: 'service_keys.reported', org_id, detail });
      await queueAdministratorNotices(context, tx, org_id, nameNotice(org_id, 'reported'));
      return null;
    });
  },
});
