import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import { computePublicHint } from './key-text.ts';
import { publicKeyInput, readPublicKey } from './public-key.ts';
import { computeKeyExpiry, computeOverlapEnd } from './rules.ts';
import { replacePublicKey as replaceStoredKey } from './store.ts';
import { deleteTokens } from './store-tokens.ts';
import { expiryInput, overlapInput, serviceKeyId, serviceKeyWire, toWire } from './wire.ts';

export const replacePublicKey = operation({
  name: 'serviceKeys.replacePublicKey',
  title: 'Replace a public key',
  summary:
    'Gives a service key another public key, and lets it act for the caller. For overlap_seconds, assertions by the current one are accepted as well; with 0 its tokens end too.',
  who: ['org_admin'],
  input: Type.Object({
    service_key_id: serviceKeyId,
    public_key: publicKeyInput,
    expiry_days: expiryInput,
    overlap_seconds: overlapInput,
  }),
  output: { 200: serviceKeyWire },
  refuses: ['service_key_not_found'],
  checks: [({ public_key }) => void readPublicKey(public_key)],
  run: (context, { service_key_id: id, public_key, expiry_days, overlap_seconds }) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      const now = context.now();
      const read = readPublicKey(public_key);
      const replaced = await replaceStoredKey(
        tx,
        { id, org_id },
        {
          user_id,
          hint: computePublicHint(read),
          public_key: read,
          expires_at: computeKeyExpiry(now, expiry_days),
          previous_until: computeOverlapEnd(now, overlap_seconds),
        },
      );
      if (!replaced) throw new Refusal('service_key_not_found');
      if (overlap_seconds === 0) await deleteTokens(tx, id);
      tx.afterCommit(() => forgetKeys(context));
      const detail = { service_key_id: id };
      await recordCallerAudit(context, tx, { action: 'service_keys.rotated', org_id, detail });
      await queueAdministratorNotices(context, tx, org_id, 'service_key_created');
      return toWire(replaced);
    }),
});
