import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { addVerifications } from '../store.ts';

/** The verifications of each credential that are counted but not written yet. They do not say who verified it or when. */
type PendingCounts = { counts: Map<string, number>; timer: NodeJS.Timeout | undefined };

const getPendingCounts = instanceMemory((): PendingCounts => ({ counts: new Map(), timer: undefined }));

const flush_after_ms = 5_000;
const pending_credentials_max = 10_000;

/** Counts a verification of one of this service's credentials, whatever its result. Counts are written every five seconds; a crash loses the last ones. */
export function recordVerification(services: Services, credential_id: string): void {
  const pending = getPendingCounts(services);
  const { counts } = pending;
  if (counts.size < pending_credentials_max || counts.has(credential_id))
    counts.set(credential_id, (counts.get(credential_id) ?? 0) + 1);
  pending.timer ??= setTimeout(() => {
    pending.timer = undefined;
    flushVerifications(services).catch(() => undefined);
  }, flush_after_ms).unref();
}

/** Writes the counts that this process has collected. */
export async function flushVerifications(services: Services): Promise<void> {
  const pending = getPendingCounts(services);
  if (pending.counts.size === 0) return;
  const { counts } = pending;
  pending.counts = new Map();
  await addVerifications(serviceDatabase(services), counts);
}
