import type { MirrorLink } from './sealed-mirror.ts';

/** How long the link in the email works. */
export const link_hours = 24;

/** Whether a link can no longer be used. */
export function isLinkExpired({ asked_for_ms }: Pick<MirrorLink, 'asked_for_ms'>, now: Date): boolean {
  return now.getTime() - asked_for_ms > link_hours * 3_600_000;
}
