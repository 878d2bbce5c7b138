import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { checkPermissions } from './check-reach.ts';
import { computeKeyExpiry, service_keys_max, type PublicKey, type ServiceKey } from './rules.ts';
import { countKeys, insertKey } from './store.ts';

/** What an administrator decides about a new key. */
type NewKey = Pick<ServiceKey, 'name' | 'permissions' | 'networks'> & { readonly expiry_days: number };

/** By what a key is recognised: the hash of its secret, or a public key. */
type KeyProof = Pick<ServiceKey, 'hint'> &
  (
    | { readonly key_hash: Buffer; readonly public_key: null }
    | { readonly key_hash: null; readonly public_key: PublicKey }
  );

/**
 * Adds a key of the caller's organisation in a transaction, and informs its administrators.
 *
 * @throws Refusal `organisation_not_found`, `service_key_limit_reached`, or `field_invalid` for permissions that no key can have.
 */
export async function addKey(
  context: Context<'org_admin'>,
  tx: Transaction,
  { name, permissions, networks, expiry_days }: NewKey,
  proof: KeyProof,
): Promise<ServiceKey> {
  checkPermissions(context.rows, permissions);
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
    ...proof,
    created_at,
    expires_at: computeKeyExpiry(created_at, expiry_days),
  });
  const detail = { service_key_id: created.id };
  await recordCallerAudit(context, tx, { action: 'service_keys.created', org_id, detail });
  await queueAdministratorNotices(context, tx, org_id, 'service_key_created');
  return created;
}
