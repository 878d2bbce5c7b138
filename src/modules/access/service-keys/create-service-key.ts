import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { checkNetworks, checkPermissions } from './check-reach.ts';
import { generateKey, hashKey, readHint } from './key-text.ts';
import { computeKeyExpiry, service_keys_max } from './rules.ts';
import { countKeys, insertKey } from './store.ts';
import { newServiceKeyWire, reachInput, toWire } from './wire.ts';

export const createServiceKey = operation({
  name: 'serviceKeys.createServiceKey',
  title: 'Create a service key',
  summary:
    'Creates a key by which a program of the organisation calls the rows that it is permitted. The reply has the key, and no other reply shows it.',
  who: ['org_admin'],
  input: Type.Object(reachInput),
  output: { 201: newServiceKeyWire },
  refuses: ['organisation_not_found', 'service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks)],
  run: (context, { name, permissions, networks, expiry_days }) => {
    checkPermissions(context.rows, permissions);
    return context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      if ((await countKeys(tx, org_id)) >= service_keys_max) throw new Refusal('service_key_limit_reached');
      const created_at = context.now();
      const key = generateKey();
      const created = await insertKey(tx, {
        id: randomUUID(),
        org_id,
        user_id,
        name: name.trim(),
        permissions,
        networks,
        hint: readHint(key),
        key_hash: hashKey(key),
        public_key: null,
        created_at,
        expires_at: computeKeyExpiry(created_at, expiry_days),
      });
      const detail = { service_key_id: created.id };
      await recordCallerAudit(context, tx, { action: 'service_keys.created', org_id, detail });
      await queueAdministratorNotices(context, tx, org_id, 'service_key_created');
      return { ...toWire(created), key };
    });
  },
});
