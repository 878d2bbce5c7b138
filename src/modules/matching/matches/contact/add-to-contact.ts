import type { Job } from '#modules/matching/jobs';
import type { CallerWithRole } from '#platform/operation.ts';
import type { Transaction } from '#platform/database/database.ts';
import type { Match } from '../store.ts';
import type { JobRequirements } from './rules.ts';
import { upsertMatchContact, upsertMemberNote } from './store.ts';

/**
 * Records who is interested in the member of a match, what the job asks for at this time, and the organisation's note. A platform
 * administrator acts for the organisation, but is not its contact person.
 */
export function recordInterest(
  caller: CallerWithRole<'org_admin' | 'platform_admin'>,
  tx: Transaction,
  { match, job }: { readonly match: Match; readonly job: Job },
  note: string | null | undefined,
): void {
  const contact_user_id = caller.role === 'org_admin' ? caller.user_id : null;
  upsertMatchContact(tx, match, { contact_user_id, requirements: pickRequirements(job) }, note);
}

/** Stores the note of a member who has accepted, or deletes it with null. */
export function storeMemberNote(tx: Transaction, match: Match, job: Job, note: string | null): void {
  upsertMemberNote(tx, match, pickRequirements(job), note);
}

function pickRequirements({ clearance_required, constraints }: Job): JobRequirements {
  return { clearance_required, constraints };
}
