import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import {
  buildIssuer,
  buildMethodId,
  buildStatusListUrl,
  buildTokenStatusListUrl,
  type Issuer,
} from '../signing/issuer.ts';
import { formatDateTimeStamp } from '../signing/signed-forms.ts';
import {
  computeSlice,
  createEmptyBits,
  encodeBitstringList,
  encodeTokenList,
  list_entries,
  readIndexes,
  setBits,
  shuffleIndexes,
} from './status-bits.ts';
import {
  findList,
  insertList,
  lockList,
  readShuffledPiece,
  reserveListEntries,
  updateBits,
  updateListKey,
  updateSignedForms,
  type KeyedList,
  type ListBits,
  type SignedList,
  type StatusList,
} from './store.ts';

/** The entry of a credential in a status list. */
export type StatusPlace = { readonly status_list_id: string; readonly status_index: number };

/** An entry for a new credential, and the id of the key that signs the list and must sign the credential. */
export type ReservedPlace = StatusPlace & { readonly kid: string };

/** How long a cache may use a list, in seconds. Verifiers that rely on a cached list may miss a revocation for this long. */
export const list_ttl_s = 60;
/** A signed list is valid for a week and signed again after a day, so that a verifier can work offline for at least six days. */
const valid_ms = 7 * 86_400_000;
const fresh_ms = 86_400_000;
/** The number of entries that a process reserves at once. It loses those that it has not used when it ends, out of 131,072 in a list. */
const run_length = 100;

/** The entries that this process has reserved in lists of one key, and the reservation in progress, for which all callers wait. */
type ReservedPlaces = { readonly kid: string; readonly places: ReservedPlace[]; taking?: Promise<void> };

const getReservedPlaces = instanceMemory((): { current: ReservedPlaces | undefined } => ({
  current: undefined,
}));

/**
 * Reserves status list entries for new credentials in random order; no entry is used twice. All are in lists of the active key: a new key
 * opens new lists, because some verifiers accept only one key for a credential and its list. Call it before the transaction: an unused
 * entry is lost, which costs less than transactions that wait for each other.
 */
export async function takePlaces(services: Services, count: number): Promise<readonly ReservedPlace[]> {
  const memory = getReservedPlaces(services);
  const { kid } = services.keys.selectActive('credential');
  if (memory.current?.kid !== kid) memory.current = { kid, places: [] };
  const reserved = memory.current;
  while (reserved.places.length < count) await (reserved.taking ??= takeMorePlaces(services, reserved));
  return reserved.places.splice(0, count);
}

async function takeMorePlaces(services: Services, reserved: ReservedPlaces): Promise<void> {
  try {
    reserved.places.push(...(await takePlacesOfRun(services, reserved.kid)));
  } finally {
    delete reserved.taking;
  }
}

function takePlacesOfRun(services: Services, kid: string): Promise<readonly ReservedPlace[]> {
  return serviceDatabase(services).transaction(async (tx) => {
    const run =
      (await reserveListEntries(tx, kid, run_length, list_entries)) ??
      (await takeFirstRun(tx, kid, services.now()));
    const piece = await readShuffledPiece(tx, run.id, computeSlice(run.from, run_length));
    return readIndexes(piece).map((status_index) => ({ status_list_id: run.id, status_index, kid }));
  });
}

async function takeFirstRun(tx: Transaction, kid: string, created_at: Date) {
  const list = { id: randomUUID(), bits: createEmptyBits(), shuffled: shuffleIndexes(), kid, created_at };
  await insertList(tx, list);
  const run = await reserveListEntries(tx, kid, run_length, list_entries);
  if (!run) throw new Error('a new status list has no free entries');
  return run;
}

/**
 * Sets the bits of a list's credentials and deletes the signed forms of the list in the same transaction. The next reader gets the list
 * signed again, unless {@link publishList} signs it at once.
 */
export async function setRevokedBits(
  tx: Transaction,
  list_id: string,
  indexes: readonly number[],
): Promise<KeyedList> {
  const { id, kid, version, bits } = await requireLockedList(tx, list_id);
  const changed = { id, kid, version: version + 1, bits: setBits(bits, indexes) };
  await updateBits(tx, changed);
  return changed;
}

async function requireLockedList(tx: Transaction, list_id: string): Promise<StatusList> {
  const list = await lockList(tx, list_id);
  if (!list) throw new Error(`the status list ${list_id} does not exist`);
  return list;
}

/** The key of a list: the one that first signed it, or the active one if that one was revoked since. */
async function selectListKey({ keys }: Pick<Services, 'keys'>, kid: string): Promise<SigningKey> {
  const key = await keys.find('credential', kid);
  return key && key.revoked_at === null ? key : keys.selectActive('credential');
}

/** The key with which further forms of a credential in this list are signed, so that one key verifies all of them and the list. */
export async function findListKey(services: Services, list_id: string): Promise<SigningKey> {
  const list = await findList(serviceDatabase(services), list_id);
  if (!list) throw new Error(`the status list ${list_id} does not exist`);
  return selectListKey(services, list.kid);
}

/** Like {@link findListKey}. If the key of the list was revoked, the list gets the active key in this transaction. */
export async function replaceRevokedListKey(
  services: Pick<Services, 'keys'>,
  tx: Transaction,
  list_id: string,
): Promise<SigningKey> {
  const list = await requireLockedList(tx, list_id);
  const key = await selectListKey(services, list.kid);
  if (key.kid !== list.kid) await updateListKey(tx, list_id, key.kid);
  return key;
}

type PublishingContext = Pick<Services, 'config' | 'keys'>;

/** Signs a list in both forms with its key and stores them. The caller must hold the list's lock. */
export async function publishList(
  { config, keys }: PublishingContext,
  tx: Transaction,
  list: KeyedList,
  now: Date,
): Promise<SignedList> {
  const issuer = buildIssuer(config.publicUrl);
  const key = await selectListKey({ keys }, list.kid);
  const signed = {
    kid: key.kid,
    vc_jwt: signListVc(issuer, key, list, now),
    token_jwt: signListToken(issuer, key, list, now),
    signed_at: now,
  };
  await updateSignedForms(tx, list.id, signed);
  return signed;
}

/**
 * The published list with an id, or undefined. Signs the list again if its bits have changed, its signature is a day old, or its key was
 * revoked.
 */
export async function findPublishedList(
  services: Services,
  list_id: string,
): Promise<(ListBits & SignedList) | undefined> {
  const now = services.now();
  const list = await findList(serviceDatabase(services), list_id);
  if (!list || isPublished(services, list, now)) return list;
  return serviceDatabase(services).transaction(async (tx) => {
    const locked = await lockList(tx, list_id);
    if (!locked || isPublished(services, locked, now)) return locked;
    return { ...locked, ...(await publishList(services, tx, locked, now)) };
  });
}

function isPublished(
  { keys }: Pick<Services, 'keys'>,
  list: StatusList,
  now: Date,
): list is ListBits & SignedList {
  if (keys.findInMemory('credential', list.kid)?.revoked_at) return false;
  return list.signed_at !== null && now.getTime() - list.signed_at.getTime() < fresh_ms;
}

/** The Bitstring Status List credential (W3C Bitstring Status List 1.0 section 3.2) of a list, unsecured. */
export function buildListCredential(issuer: Issuer, { id, bits }: ListBits, now: Date) {
  const url = buildStatusListUrl(issuer, id);
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuer.did,
    validFrom: formatDateTimeStamp(now),
    validUntil: formatDateTimeStamp(new Date(now.getTime() + valid_ms)),
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      ttl: list_ttl_s * 1000,
      encodedList: encodeBitstringList(bits),
    },
  };
}

function signListVc(issuer: Issuer, key: SigningKey, list: ListBits, now: Date): string {
  const credential = buildListCredential(issuer, list, now);
  const payload = { ...credential, iss: issuer.did, jti: credential.id, ...buildValidityClaims(now) };
  return signJws(key, { kid: buildMethodId(issuer, key.kid), typ: 'vc+jwt', cty: 'vc' }, payload);
}

/** The Status List Token (Token Status List section 5.1). */
function signListToken(issuer: Issuer, key: SigningKey, { id, bits }: ListBits, now: Date): string {
  const payload = {
    iss: issuer.url,
    sub: buildTokenStatusListUrl(issuer, id),
    ...buildValidityClaims(now),
    ttl: list_ttl_s,
    status_list: { bits: 1, lst: encodeTokenList(bits) },
  };
  return signJws(key, { kid: key.kid, typ: 'statuslist+jwt' }, payload);
}

function buildValidityClaims(now: Date) {
  const iat = Math.floor(now.getTime() / 1000);
  return { iat, exp: iat + valid_ms / 1000 };
}
