import { readWorldTime } from '#platform/clock.ts';
import type { Services } from '#platform/platform.ts';
import type { SignedMessage } from './signatures.ts';

/** When an attempt is made, by the clock that its receiver has, and whether it is made up. */
export function describeSending(
  services: Pick<Services, 'now' | 'testClock'>,
): Pick<SignedMessage, 'sent_at' | 'sandbox'> {
  return { sent_at: readWorldTime(services), sandbox: services.testClock !== undefined };
}
