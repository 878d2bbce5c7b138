import { randomUUID } from 'node:crypto';
import type { Static } from 'typebox';
import { findLinkedEntityId } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { queueAdministratorNotices } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { hashToken } from '#platform/security/hash-token.ts';
import { forgetKeys } from './authenticate-service-key.ts';
import { checkPermissions } from './check-reach.ts';
import { computePublicHint, generateKey, readHint } from './key-text.ts';
import { readPublicKey, type publicKeyInput } from './public-key.ts';
import {
  computeKeyExpiry,
  computeOverlapEnd,
  nameNotice,
  service_keys_max,
  type KeyMaker,
  type PublicKey,
  type ServiceKey,
} from './rules.ts';
import { countKeys, deleteKey, insertKey, lockPlatformKeys, replaceHash, replacePublicKey } from './store.ts';
import { deleteTokens } from './store-tokens.ts';
import { toWire } from './wire.ts';

/** An administrator, who makes keys of their organisation or of the platform. */
type KeyContext = Context<KeyMaker>;

/** What an administrator decides about a new key. */
type NewKey = Pick<ServiceKey, 'name' | 'permissions' | 'networks'> & { readonly expiry_days: number };

type GivenPublicKey = { readonly public_key: Static<typeof publicKeyInput> };

/** Which key is replaced, and how long the current one is accepted as well. */
type Replacement = {
  readonly service_key_id: string;
  readonly expiry_days: number;
  readonly overlap_seconds: number;
};

/** Creates a key with a secret. @throws Refusal as {@link addKey} does. */
export function createKey(context: KeyContext, input: NewKey) {
  const key = generateKey();
  const proof = { hint: readHint(key), key_hash: hashToken(key), public_key: null };
  return context.transaction(async (tx) => ({ ...toWire(await addKey(context, tx, input, proof)), key }));
}

/** Creates a key by a public key. @throws Refusal as {@link addKey} does. */
export function registerKey(context: KeyContext, { public_key, ...input }: NewKey & GivenPublicKey) {
  const read = readPublicKey(public_key);
  const proof = { hint: computePublicHint(read), key_hash: null, public_key: read };
  return context.transaction(async (tx) => toWire(await addKey(context, tx, input, proof)));
}

/** By what a key is recognised: the hash of its secret, or a public key. */
type KeyProof = Pick<ServiceKey, 'hint'> &
  (
    | { readonly key_hash: Buffer; readonly public_key: null }
    | { readonly key_hash: null; readonly public_key: PublicKey }
  );

/**
 * Adds a key of the caller's organisation or of the platform, and informs its administrators.
 *
 * @throws Refusal `organisation_not_found`, `service_key_limit_reached`, or `field_invalid` for permissions that no key can have.
 */
async function addKey(
  context: KeyContext,
  tx: Transaction,
  { name, permissions, networks, expiry_days }: NewKey,
  proof: KeyProof,
): Promise<ServiceKey> {
  const { caller } = context;
  checkPermissions(context.rows, caller.role, permissions);
  const org_id = findLinkedEntityId(caller);
  await lockOwner(tx, org_id);
  if ((await countKeys(tx, org_id)) >= service_keys_max) throw new Refusal('service_key_limit_reached');
  const created_at = context.now();
  const created = await insertKey(tx, {
    id: randomUUID(),
    org_id,
    user_id: caller.user_id,
    name: name.trim(),
    permissions,
    networks,
    ...proof,
    created_at,
    expires_at: computeKeyExpiry(created_at, expiry_days),
  });
  await recordKeyAct(context, tx, 'created', created.id);
  await queueAdministratorNotices(context, tx, org_id, nameNotice(org_id, 'created'));
  return created;
}

/** Lets one transaction at a time add a key, so that two of them cannot exceed the maximum. */
async function lockOwner(tx: Transaction, org_id: ServiceKey['org_id']): Promise<void> {
  if (org_id === null) await lockPlatformKeys(tx);
  else if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
}

/** Replaces the secret of a key. @throws Refusal `service_key_not_found`. */
export function rotateKey(context: KeyContext, replacement: Replacement) {
  return context.transaction(async (tx) => {
    const key = generateKey();
    const proof = { hint: readHint(key), key_hash: hashToken(key) };
    const change = { ...proof, ...buildChange(context, replacement) };
    const rotated = await replaceHash(tx, nameKey(context, replacement), change);
    return { ...toWire(await finishReplacement(context, tx, rotated)), key };
  });
}

/** Replaces the public key of a key. @throws Refusal `service_key_not_found`. */
export function replaceKey(
  context: KeyContext,
  { public_key, ...replacement }: Replacement & GivenPublicKey,
) {
  return context.transaction(async (tx) => {
    const read = readPublicKey(public_key);
    const proof = { hint: computePublicHint(read), public_key: read };
    const change = { ...proof, ...buildChange(context, replacement) };
    const replaced = await replacePublicKey(tx, nameKey(context, replacement), change);
    if (replacement.overlap_seconds === 0) await deleteTokens(tx, replacement.service_key_id);
    return toWire(await finishReplacement(context, tx, replaced));
  });
}

function nameKey({ caller }: KeyContext, { service_key_id: id }: Pick<Replacement, 'service_key_id'>) {
  return { id, org_id: findLinkedEntityId(caller) };
}

/** A key acts for the administrator who replaced it last. */
function buildChange({ caller, now }: KeyContext, { expiry_days, overlap_seconds }: Replacement) {
  const changed_at = now();
  return {
    user_id: caller.user_id,
    expires_at: computeKeyExpiry(changed_at, expiry_days),
    previous_until: computeOverlapEnd(changed_at, overlap_seconds),
  };
}

/** @throws Refusal `service_key_not_found`. */
async function finishReplacement(
  context: KeyContext,
  tx: Transaction,
  replaced: ServiceKey | undefined,
): Promise<ServiceKey> {
  if (!replaced) throw new Refusal('service_key_not_found');
  tx.afterCommit(() => forgetKeys(context));
  await recordKeyAct(context, tx, 'rotated', replaced.id);
  const { org_id } = replaced;
  await queueAdministratorNotices(context, tx, org_id, nameNotice(org_id, 'created'));
  return replaced;
}

/** Ends a key of the caller's organisation or of the platform. @throws Refusal `service_key_not_found`. */
export function revokeKey(context: KeyContext, named: Pick<Replacement, 'service_key_id'>): Promise<null> {
  return context.transaction(async (tx) => {
    if ((await deleteKey(tx, nameKey(context, named))) === 0) throw new Refusal('service_key_not_found');
    tx.afterCommit(() => forgetKeys(context));
    await recordKeyAct(context, tx, 'revoked', named.service_key_id);
    return null;
  });
}

function recordKeyAct(
  context: KeyContext,
  tx: Transaction,
  act: 'created' | 'rotated' | 'revoked',
  service_key_id: string,
): Promise<void> {
  const org_id = findLinkedEntityId(context.caller);
  return recordCallerAudit(context, tx, {
    action: `service_keys.${act}`,
    org_id,
    detail: { service_key_id },
  });
}
