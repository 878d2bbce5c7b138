import { LRUCache } from 'lru-cache';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import type { ServiceKeyAct } from '#platform/http/service-key-rows.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';

/** The same refusal is recorded once an hour, because directories ask again and again. */
const recorded = instanceMemory(() => new LRUCache<string, true>({ max: 10_000, ttl: 3_600_000 }));

/** Records in the audit log of the organisation what its directory wanted to change and was refused. Reads, and what is no refusal, are not recorded. */
export async function recordRefusal(
  platform: Platform,
  { caller, row }: ServiceKeyAct,
  error: unknown,
): Promise<void> {
  if (caller.role !== 'org_admin' || !(error instanceof Refusal) || row.startsWith('GET')) return;
  const { org_id } = caller;
  const name = `${org_id} ${row} ${error.code}`;
  const memory = recorded(platform);
  if (memory.has(name)) return;
  memory.set(name, true);
  const entry = { action: 'directories.refused', org_id, detail: { reason: error.code } } as const;
  await platform.database.transaction((tx) =>
    recordAudit(tx, { now: platform.now(), actor: caller, ...entry }),
  );
}
