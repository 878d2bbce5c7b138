import type { Services } from '#platform/platform.ts';
import type { SignedMessage } from './signatures.ts';

/** When an attempt is made by the clock of the world, which the receiver of its signature has, and whether it is made up. */
export function describeSending(
  { testClock }: Pick<Services, 'testClock'>,
  now: Date,
): Pick<SignedMessage, 'sent_at' | 'sandbox'> {
  const ahead_ms = testClock?.readAhead() ?? 0;
  return { sent_at: new Date(now.getTime() - ahead_ms), sandbox: testClock !== undefined };
}
