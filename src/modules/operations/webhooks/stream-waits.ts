import { Refusal } from '#lib/refusal.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';

/** A request that waits holds a connection and some kilobytes, and looks into the database once a second. */
const [waits_max, waits_each_max] = [200, 10];
const look_ms = 1_000;
const retry_after = { 'retry-after': '5' };

type Wait = { readonly org_id: string; readonly subscription_id: string; readonly wake: () => void };

const getWaits = instanceMemory(() => ({ all: new Set<Wait>(), isEnded: false }));

type WithMemory = { readonly memory: Memory };

/** Wakes what waits in this process for events of a stream. Other processes look within a second. */
export function wakeStream(context: WithMemory, subscription_id: string): void {
  for (const each of getWaits(context).all) if (each.subscription_id === subscription_id) each.wake();
}

/** Ends all waits, because the process stops. Their requests are answered at once, and no other one waits. */
export function endWaits(context: WithMemory): void {
  const waits = getWaits(context);
  waits.isEnded = true;
  for (const each of waits.all) each.wake();
}

/** How many requests of an organisation wait in this process. */
export function countWaits(context: WithMemory, org_id: string): number {
  return [...getWaits(context).all].filter((each) => each.org_id === org_id).length;
}

/**
 * Waits until `isDue` finds something, for a time at most. It looks at the beginning, when it is woken, and once a second.
 *
 * @throws Refusal `too_many_requests` beyond 10 waits of an organisation, `overloaded` beyond 200 of this process.
 */
export async function waitForStream(
  context: WithMemory,
  { org_id, subscription_id }: Pick<Wait, 'org_id' | 'subscription_id'>,
  isDue: () => Promise<boolean>,
  wait_ms: number,
): Promise<void> {
  const waits = getWaits(context);
  if (waits.all.size >= waits_max) throw new Refusal('overloaded', { headers: retry_after });
  if (countWaits(context, org_id) >= waits_each_max)
    throw new Refusal('too_many_requests', { headers: retry_after });
  const ends_ms = performance.now() + wait_ms;
  let change = Promise.withResolvers<void>();
  const wait: Wait = { org_id, subscription_id, wake: () => change.resolve() };
  waits.all.add(wait);
  try {
    for (let left_ms = wait_ms; left_ms > 0 && !waits.isEnded; left_ms = ends_ms - performance.now()) {
      // Before the look, which sees everything that was committed until now.
      change = Promise.withResolvers();
      if (await isDue()) return;
      const timer = setTimeout(wait.wake, Math.min(look_ms, left_ms));
      await change.promise;
      clearTimeout(timer);
    }
  } finally {
    waits.all.delete(wait);
  }
}
