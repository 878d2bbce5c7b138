import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 10;

/** Polls `isMet` every 10 ms. Returns false if it does not become true within `timeoutMs`. */
export async function waitForCondition(
  isMet: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isMet())) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
