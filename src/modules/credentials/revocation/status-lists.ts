import { randomUUID } from 'node:crypto';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import type { Services } from '#platform/platform.ts';
import { inSeconds } from '../signing/forms.ts';
import { issuerOf, methodOf, statusListUrl, tokenStatusListUrl, type Issuer } from '../signing/issuer.ts';
import {
  emptyBits,
  encodedList,
  indexesIn,
  list_entries,
  shuffledIndexes,
  sliceOf,
  tokenStatusList,
  withBits,
} from './status-bits.ts';
import {
  findList,
  insertList,
  lockList,
  readShuffled,
  takeRun,
  updateBits,
  updateSigned,
  type ListBits,
  type SignedList,
  type StatusList,
} from './store.ts';

/** Where a credential's status stands. */
export type StatusPlace = { readonly status_list_id: string; readonly status_index: number };

/** For how long a cache may keep a list, in seconds: as long as a revocation may go unseen by those who verify without asking us. */
export const list_ttl_s = 60;
/** A signed list holds for a week, and is signed anew when it is a day old, so that the one who fetches it can work offline for six. */
const valid_ms = 7 * 86_400_000;
const fresh_ms = 86_400_000;
/** So many places a process takes at once: what it does not use by its end is lost, of 131,072. */
const run_length = 100;

const takenPlaces = instanceMemory(() => ({ places: [] as StatusPlace[] }));

/**
 * Takes places for credentials to be issued, each given once and never again, in a random order. Take them before the transaction: a place
 * that is not used is lost, and that is cheaper than issuers who wait for each other.
 */
export async function takePlaces(services: Services, count: number): Promise<readonly StatusPlace[]> {
  const taken = takenPlaces(services);
  while (taken.places.length < count) taken.places.push(...(await takeMore(services)));
  return taken.places.splice(0, count);
}

function takeMore(services: Services): Promise<readonly StatusPlace[]> {
  return serviceDatabase(services).transaction(async (tx) => {
    const run = (await takeRun(tx, run_length, list_entries)) ?? (await firstRun(tx, services.now()));
    const piece = await readShuffled(tx, run.id, sliceOf(run.from, run_length));
    return indexesIn(piece).map((status_index) => ({ status_list_id: run.id, status_index }));
  });
}

async function firstRun(tx: Transaction, created_at: Date) {
  const list = { id: randomUUID(), bits: emptyBits(), shuffled: shuffledIndexes(), created_at };
  await insertList(tx, list);
  return (await takeRun(tx, run_length, list_entries))!;
}

/**
 * Sets the bits of a list's credentials. What was signed before is gone with the same transaction, and the next one who asks gets it signed
 * anew, unless {@link publish} does it at once.
 */
export async function setRevoked(
  tx: Transaction,
  list_id: string,
  indexes: readonly number[],
): Promise<ListBits> {
  const list = await lockList(tx, list_id);
  if (!list) throw new Error(`the status list ${list_id} is gone`);
  const changed = { id: list.id, version: list.version + 1, bits: withBits(list.bits, indexes) };
  await updateBits(tx, changed);
  return changed;
}

type Publishing = Pick<Services, 'config' | 'keys'>;

/** Signs a list's bits in both forms and keeps them. Hold the list's lock. */
export async function publish(
  { config, keys }: Publishing,
  tx: Transaction,
  list: ListBits,
  now: Date,
): Promise<SignedList> {
  const issuer = issuerOf(config.publicUrl);
  const key = keys.active('ES256');
  const signed = {
    vc_jwt: signedListVc(issuer, key, list, now),
    token_jwt: signedListToken(issuer, key, list, now),
    signed_at: now,
  };
  await updateSigned(tx, list.id, signed);
  return signed;
}

/** A list as it is published now, or undefined. It is signed anew where its bits have changed, or where it has become old. */
export async function publishedList(
  services: Services,
  list_id: string,
): Promise<(ListBits & SignedList) | undefined> {
  const now = services.now();
  const list = await findList(serviceDatabase(services), list_id);
  if (!list || isPublished(list, now)) return list;
  return serviceDatabase(services).transaction(async (tx) => {
    const locked = (await lockList(tx, list_id))!;
    if (isPublished(locked, now)) return locked;
    return { ...locked, ...(await publish(services, tx, locked, now)) };
  });
}

function isPublished(list: StatusList, now: Date): list is ListBits & SignedList {
  return list.signed_at !== null && now.getTime() - list.signed_at.getTime() < fresh_ms;
}

/** The Bitstring Status List credential (W3C Bitstring Status List 1.0 section 3.2) of a list, unsecured. */
export function statusListCredential(issuer: Issuer, { id, bits }: ListBits, now: Date) {
  const url = statusListUrl(issuer, id);
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuer.did,
    validFrom: inSeconds(now),
    validUntil: inSeconds(new Date(now.getTime() + valid_ms)),
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      ttl: list_ttl_s * 1000,
      encodedList: encodedList(bits),
    },
  };
}

function signedListVc(issuer: Issuer, key: SigningKey, list: ListBits, now: Date): string {
  const credential = statusListCredential(issuer, list, now);
  const payload = { ...credential, iss: issuer.did, jti: credential.id, ...validity(now) };
  return signJws(key, { kid: methodOf(issuer, key.kid), typ: 'vc+jwt', cty: 'vc' }, payload);
}

/** The Status List Token (Token Status List section 5.1). */
function signedListToken(issuer: Issuer, key: SigningKey, { id, bits }: ListBits, now: Date): string {
  const payload = {
    iss: issuer.url,
    sub: tokenStatusListUrl(issuer, id),
    ...validity(now),
    ttl: list_ttl_s,
    status_list: { bits: 1, lst: tokenStatusList(bits) },
  };
  return signJws(key, { kid: key.kid, typ: 'statuslist+jwt' }, payload);
}

function validity(now: Date) {
  const iat = Math.floor(now.getTime() / 1000);
  return { iat, exp: iat + valid_ms / 1000 };
}
