import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import {
  computeBlock,
  computeSlice,
  createEmptyBits,
  block_bytes,
  list_entries,
  readIndexes,
  shuffleIndexes,
} from './status-bits.ts';
import {
  findListKid,
  insertList,
  lockListKid,
  readShuffledPiece,
  reserveListEntries,
  setBlockBit,
  updateListKid,
} from './store.ts';

/** The entry of a credential in a status list. */
export type StatusPlace = { readonly status_list_id: string; readonly status_index: number };

/** An entry for a new credential, and the id of the key that signs the list and must sign the credential. */
export type ReservedPlace = StatusPlace & { readonly kid: string };

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
  await openList(tx, { id: randomUUID(), kid, created_at });
  const run = await reserveListEntries(tx, kid, run_length, list_entries);
  if (!run) throw new Error('a new status list has no free entries');
  return run;
}

/** Creates a list in which nothing is revoked, with an order of its indexes of its own. */
export async function openList(
  tx: Transaction,
  list: { readonly id: string; readonly kid: string; readonly created_at: Date },
): Promise<void> {
  const bits = createEmptyBits();
  const blocks = Array.from({ length: bits.length / block_bytes }, (_, block) =>
    bits.subarray(block * block_bytes, (block + 1) * block_bytes),
  );
  await insertList(tx, { ...list, blocks, shuffled: shuffleIndexes() });
}

/**
 * Marks entries of credentials as revoked for good. Each writes one block of 256 bytes, and waits only for transactions that write the same
 * block. Their order is fixed, so that two transactions cannot deadlock.
 */
export function revokePlaces(tx: Transaction, places: readonly StatusPlace[]): void {
  for (const { status_list_id, status_index } of places.toSorted(comparePlaces))
    setBlockBit(tx, status_list_id, computeBlock(status_index));
}

function comparePlaces(one: StatusPlace, other: StatusPlace): number {
  if (one.status_list_id === other.status_list_id) return one.status_index - other.status_index;
  return one.status_list_id < other.status_list_id ? -1 : 1;
}

/** The key of a list: the one that its credentials were signed with, or the active one if that one was revoked since. */
export async function selectListKey({ keys }: Pick<Services, 'keys'>, kid: string): Promise<SigningKey> {
  const key = await keys.find('credential', kid);
  return key && key.revoked_at === null ? key : keys.selectActive('credential');
}

/** The key with which further forms of a credential in this list are signed, so that one key verifies all of them and the list. */
export async function findListKey(services: Services, list_id: string): Promise<SigningKey> {
  const kid = await findListKid(serviceDatabase(services), list_id);
  if (kid === undefined) throw new Error(`the status list ${list_id} does not exist`);
  return selectListKey(services, kid);
}

/** Like {@link findListKey}. If the key of the list was revoked, the list gets the active key in this transaction. */
export async function replaceRevokedListKey(
  services: Pick<Services, 'keys'>,
  tx: Transaction,
  list_id: string,
): Promise<SigningKey> {
  const kid = await lockListKid(tx, list_id);
  if (kid === undefined) throw new Error(`the status list ${list_id} does not exist`);
  const key = await selectListKey(services, kid);
  if (key.kid !== kid) await updateListKid(tx, list_id, key.kid);
  return key;
}
