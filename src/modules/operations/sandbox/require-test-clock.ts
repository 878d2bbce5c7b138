import { Refusal } from '#lib/refusal.ts';
import type { TestClock } from '#platform/clock.ts';
import type { Services } from '#platform/platform.ts';

/** @throws Refusal `sandbox_not_found` unless this service is a sandbox. */
export function requireTestClock({ testClock }: Pick<Services, 'testClock'>): TestClock {
  if (!testClock) throw new Refusal('sandbox_not_found');
  return testClock;
}
