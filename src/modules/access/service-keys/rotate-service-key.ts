import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import { generateKey, readHint } from './key-text.ts';
import { computeKeyExpiry, computeOverlapEnd } from './rules.ts';
import { replaceHash } from './store.ts';
import { expiryInput, newServiceKeyWire, overlapInput, serviceKeyId, toWire } from './wire.ts';

export const rotateServiceKey = operation({
  name: 'serviceKeys.rotateServiceKey',
  title: 'Rotate a service key',
  summary:
    'Replaces a service key by a new one, which then acts for the caller. For overlap_seconds, the current one is accepted as well, so that no request is refused while your programs change over.',
  who: ['org_admin'],
  input: Type.Object({
    service_key_id: serviceKeyId,
    expiry_days: expiryInput,
    overlap_seconds: overlapInput,
  }),
  output: { 200: newServiceKeyWire },
  refuses: ['service_key_not_found'],
  idempotent: true,
  run: (context, { service_key_id: id, expiry_days, overlap_seconds }) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      const now = context.now();
      const key = generateKey();
      const rotated = await replaceHash(
        tx,
        { id, org_id },
        {
          user_id,
          hint: readHint(key),
          key_hash: hashToken(key),
          expires_at: computeKeyExpiry(now, expiry_days),
          previous_until: computeOverlapEnd(now, overlap_seconds),
        },
      );
      if (!rotated) throw new Refusal('service_key_not_found');
      tx.afterCommit(() => forgetKeys(context));
      const detail = { service_key_id: id };
      await recordCallerAudit(context, tx, { action: 'service_keys.rotated', org_id, detail });
      await queueAdministratorNotices(context, tx, org_id, 'service_key_created');
      return { ...toWire(rotated), key };
    }),
});
