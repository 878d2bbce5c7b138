import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { addVerifications } from '../store.ts';

/** Counts wait here, by credential: not who verified and not when, and no write for each verification. */
type PendingCounts = { counts: Map<string, number>; timer: NodeJS.Timeout | undefined };

const getPendingCounts = instanceMemory((): PendingCounts => ({ counts: new Map(), timer: undefined }));

const flush_after_ms = 5_000;
const waiting_max = 10_000;

/** Counts a verification of a credential of ours, whatever came of it. Kept within five seconds; a crash forgets the last ones. */
export function recordVerification(services: Services, credential_id: string): void {
  const waiting = getPendingCounts(services);
  const { counts } = waiting;
  if (counts.size < waiting_max || counts.has(credential_id))
    counts.set(credential_id, (counts.get(credential_id) ?? 0) + 1);
  waiting.timer ??= setTimeout(() => {
    waiting.timer = undefined;
    flushVerifications(services).catch(() => undefined);
  }, flush_after_ms).unref();
}

/** Writes the counts that wait in this process. */
export async function flushVerifications(services: Services): Promise<void> {
  const waiting = getPendingCounts(services);
  if (waiting.counts.size === 0) return;
  const { counts } = waiting;
  waiting.counts = new Map();
  await addVerifications(serviceDatabase(services), counts);
}
