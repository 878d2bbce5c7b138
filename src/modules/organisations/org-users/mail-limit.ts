import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { computeDayBefore, computeOrganisationWaitSeconds } from './rules.ts';
import { countMails } from './store.ts';

/** Checks that the organisation may send another invitation now. The caller must hold its lock. @throws Refusal `too_many_requests`. */
export async function checkMailLimit(tx: Transaction, org_id: string, now: Date): Promise<void> {
  const wait_s = computeOrganisationWaitSeconds(await countMails(tx, org_id, computeDayBefore(now)), now);
  if (wait_s > 0) throw createTooManyMailsRefusal(wait_s);
}

/** The refusal of an email that may be sent later. */
export function createTooManyMailsRefusal(wait_s: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many invitations were sent. Try again after the seconds in Retry-After.',
    headers: { 'retry-after': String(wait_s) },
  });
}
