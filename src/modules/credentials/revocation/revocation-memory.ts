import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { hasBit } from './status-bits.ts';
import type { StatusPlace } from './status-lists.ts';
import { listBits, listVersions, type ListBits } from './store.ts';

/** The bits of all lists, 16 KiB for each 131,072 credentials, so that no verification waits for the database to learn of a revocation. */
type RevocationMemory = {
  readonly lists: Map<string, ListBits>;
  refreshed_at_ms: number;
  refreshing: Promise<void> | undefined;
};

/** How old the memory may be when it is asked: a revocation on another node is seen here after so long at most. */
const refresh_after_ms = 1_000;
/** So many lists are read at once: 1.6 MB. */
const lists_at_once = 100;

const getRevocationMemory = instanceMemory((): RevocationMemory => ({
  lists: new Map(),
  refreshed_at_ms: -Infinity,
  refreshing: undefined,
}));

/**
 * Whether the credential of a place is revoked; undefined where no such list exists. A promise where the memory is too old: whoever asks
 * then waits for a look into the database, all for the same one, and gets no answer without it.
 */
export function isRevoked(
  services: Services,
  place: StatusPlace,
): boolean | undefined | Promise<boolean | undefined> {
  const memory = getRevocationMemory(services);
  if (performance.now() - memory.refreshed_at_ms <= refresh_after_ms) return readBit(memory, place);
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

/** Makes a revocation count in this process at once. Call it with `tx.afterCommit`. */
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

/** A look that began before a revocation must not bring the older bits back. */
function applyNewerList({ lists }: RevocationMemory, list: ListBits): void {
  if ((lists.get(list.id)?.version ?? -1) < list.version) lists.set(list.id, list);
}
