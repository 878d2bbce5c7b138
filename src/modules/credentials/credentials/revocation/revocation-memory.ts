import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { hasBit } from './status-bits.ts';
import type { StatusPlace } from './status-lists.ts';
import { listBits, listVersions, type ListBits } from './store.ts';

/** The bits of all status lists, 16 KiB per list of 131,072 credentials, so that verifications need not query the database. */
type RevocationMemory = {
  readonly lists: Map<string, ListBits>;
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
  place: StatusPlace,
): boolean | undefined | Promise<boolean | undefined> {
  const memory = getRevocationMemory(services);
  const isFresh = performance.now() - memory.refreshed_at_ms <= refresh_after_ms;
  if (isFresh && memory.lists.has(place.status_list_id)) return readBit(memory, place);
  memory.refreshing ??= refreshLists(services);
  return memory.refreshing.then(() => readBit(memory, place));
}

function readBit(
  { lists }: RevocationMemory,
  { status_list_id, status_index }: StatusPlace,
): boolean | undefined {
  const list = lists.get(status_list_id);
  return list && hasBit(list.bits, status_index);
}

/** Makes a revocation effective in this process at once. Call it through `tx.afterCommit`. */
export function recordList(services: Pick<Services, 'memory'>, list: ListBits): void {
  applyNewerList(getRevocationMemory(services), list);
}

async function refreshLists(services: Services): Promise<void> {
  const memory = getRevocationMemory(services);
  const started_ms = performance.now();
  try {
    const versions = await listVersions(serviceDatabase(services));
    const changed = versions.filter(({ id, version }) => (memory.lists.get(id)?.version ?? -1) < version);
    for (let from = 0; from < changed.length; from += lists_at_once) {
      const ids = changed.slice(from, from + lists_at_once).map(({ id }) => id);
      for (const list of await listBits(serviceDatabase(services), ids)) applyNewerList(memory, list);
    }
    memory.refreshed_at_ms = started_ms;
  } finally {
    memory.refreshing = undefined;
  }
}

/** Ignores an older version: a query that began before a revocation must not restore the older bits. */
function applyNewerList({ lists }: RevocationMemory, list: ListBits): void {
  if ((lists.get(list.id)?.version ?? -1) < list.version) lists.set(list.id, list);
}
