import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { checkNetworks, checkPermissions } from './check-reach.ts';
import { publicKeyInput, readPublicKey } from './public-key.ts';
import { computePublicHint } from './key-text.ts';
import { computeKeyExpiry, service_keys_max } from './rules.ts';
import { countKeys, insertKey } from './store.ts';
import { reachInput, serviceKeyWire, toWire } from './wire.ts';

export const registerPublicKey = operation({
  name: 'serviceKeys.registerPublicKey',
  title: 'Register a public key',
  summary:
    'Creates a service key without a secret: its program signs an assertion with its private key, and exchanges it at /oauth/token for a token of ten minutes (client credentials with private_key_jwt, RFC 7523). The id of the key is the client_id.',
  who: ['org_admin'],
  input: Type.Object({ ...reachInput, public_key: publicKeyInput }),
  output: { 201: serviceKeyWire },
  refuses: ['organisation_not_found', 'service_key_limit_reached'],
  idempotent: true,
  checks: [({ networks }) => checkNetworks(networks), ({ public_key }) => void readPublicKey(public_key)],
  run: (context, { name, permissions, networks, expiry_days, public_key }) => {
    checkPermissions(context.rows, permissions);
    const read = readPublicKey(public_key);
    return context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      if ((await countKeys(tx, org_id)) >= service_keys_max) throw new Refusal('service_key_limit_reached');
      const created_at = context.now();
      const created = await insertKey(tx, {
        id: randomUUID(),
        org_id,
        user_id,
        name: name.trim(),
        permissions,
        networks,
        hint: computePublicHint(read),
        key_hash: null,
        public_key: read,
        created_at,
        expires_at: computeKeyExpiry(created_at, expiry_days),
      });
      const detail = { service_key_id: created.id };
      await recordCallerAudit(context, tx, { action: 'service_keys.created', org_id, detail });
      await queueAdministratorNotices(context, tx, org_id, 'service_key_created');
      return toWire(created);
    });
  },
});
