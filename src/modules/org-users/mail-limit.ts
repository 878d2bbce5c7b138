import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { dayBefore, organisationWaitSeconds } from './rules.ts';
import { countMails } from './store.ts';

/** Makes sure that the organisation may have one more invitation mailed. Hold its lock. @throws Refusal `too_many_requests`. */
export async function checkMails(tx: Transaction, org_id: string, now: Date): Promise<void> {
  const wait_s = organisationWaitSeconds(await countMails(tx, org_id, dayBefore(now)), now);
  if (wait_s > 0) throw tooManyMails(wait_s);
}

/** The refusal of a mail that may go later. */
export function tooManyMails(wait_s: number): Refusal {
  return new Refusal('too_many_requests', {
    detail: 'Too many invitations were mailed: wait for the seconds in Retry-After.',
    headers: { 'retry-after': String(wait_s) },
  });
}
