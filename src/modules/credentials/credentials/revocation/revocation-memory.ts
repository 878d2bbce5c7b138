import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { createEmptyBits, hasBit, joinBits, setBits } from './status-bits.ts';
import type { StatusPlace } from './status-lists.ts';
import { listStatusLists, listVersions, type StatusList } from './store.ts';

/** What is known of a list. `read` is its key and its version in the database; undefined until it is read from there. */
type KnownList = { readonly bits: Buffer; readonly read?: Pick<StatusList, 'kid' | 'version'> };

/** The bits of all status lists, 16 KiB per list of 131,072 credentials, so that verifications need not query the database. */
type RevocationMemory = {
  readonly lists: Map<string, KnownList>;
  refreshed_at_ms: number;
  refreshing: Promise<void> | undefined;
};

/** The largest age at which the memory is used: a revocation on another node takes effect here within this time. */
const refresh_after_ms = 1_000;
/** The number of lists in one query: 1.6 MB. */
const lists_at_once = 100;

const getRevocationMemory = instanceMemory((): RevocationMemory => ({
  lists: new Map(),
  refreshed_at_ms: -Infinity,
  refreshing: undefined,
}));

/**
 * Whether the credential with a status list entry is revoked; undefined if the list does not exist. If the memory is too old or does not
 * have the list, which another key or node may have opened since, returns a promise: all callers wait for the same database query, and
 * fail if it fails.
 */
export function isRevoked(
  services: Services,
  { status_list_id, status_index }: StatusPlace,
): boolean | undefined | Promise<boolean | undefined> {
  const memory = getRevocationMemory(services);
  const readBit = () => {
    const list = findReadList(memory, status_list_id);
    return list && hasBit(list.bits, status_index);
  };
  return isCurrent(memory, status_list_id) ? readBit() : refresh(services, memory).then(readBit);
}

/**
 * A list as it was at most a second ago, or undefined if it does not exist. While its bits do not change, they are the same buffer.
 *
 * @throws Refusal `database_unavailable` like the database.
 */
export async function findList(
  services: Services,
  list_id: string,
): Promise<Pick<StatusList, 'kid' | 'bits'> | undefined> {
  const memory = getRevocationMemory(services);
  if (!isCurrent(memory, list_id)) await refresh(services, memory);
  return findReadList(memory, list_id);
}

function isCurrent(memory: RevocationMemory, list_id: string): boolean {
  const isFresh = performance.now() - memory.refreshed_at_ms <= refresh_after_ms;
  return isFresh && findReadList(memory, list_id) !== undefined;
}

function findReadList({ lists }: RevocationMemory, list_id: string) {
  const list = lists.get(list_id);
  return list?.read && { kid: list.read.kid, bits: list.bits };
}

/** Makes a revocation effective in this process at once. Call it through `tx.afterCommit`. */
export function recordRevocation(
  services: Pick<Services, 'memory'>,
  { status_list_id, status_index }: StatusPlace,
): void {
  const { lists } = getRevocationMemory(services);
  const known = lists.get(status_list_id);
  lists.set(status_list_id, { ...known, bits: setBits(known?.bits ?? createEmptyBits(), [status_index]) });
}

function refresh(services: Services, memory: RevocationMemory): Promise<void> {
  return (memory.refreshing ??= refreshLists(services, memory).finally(
    () => (memory.refreshing = undefined),
  ));
}

async function refreshLists(services: Services, memory: RevocationMemory): Promise<void> {
  const started_ms = performance.now();
  const changed = (await listVersions(serviceDatabase(services))).filter(({ id, kid, version }) => {
    const read = memory.lists.get(id)?.read;
    return read?.kid !== kid || read.version !== version;
  });
  for (let from = 0; from < changed.length; from += lists_at_once) {
    const ids = changed.slice(from, from + lists_at_once).map(({ id }) => id);
    for (const list of await listStatusLists(serviceDatabase(services), ids)) recordList(memory, list);
  }
  memory.refreshed_at_ms = started_ms;
}

/** A revocation is for good, so bits are only added: a query that began before a revocation cannot undo it here. */
function recordList({ lists }: RevocationMemory, { id, kid, version, bits }: StatusList): void {
  const known = lists.get(id);
  lists.set(id, { bits: known ? joinBits(known.bits, bits) : bits, read: { kid, version } });
}
