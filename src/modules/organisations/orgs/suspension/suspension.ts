import { Refusal, requireFound } from '#lib/refusal.ts';
import { recordAudit, type NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { lockForSuspension, lockStanding, updateSuspension } from './store.ts';

/**
 * Requires that an organisation is not suspended, until the transaction ends: a suspension waits for it. Callers may hold any other lock,
 * because a suspension waits for nobody while it holds the organisation, except for sessions that are in use.
 *
 * @throws Refusal `organisation_suspended`.
 */
export async function requireOpenOrganisation(tx: Transaction, org_id: string): Promise<void> {
  const organisation = await lockStanding(tx, org_id);
  if (organisation && organisation.suspended_at !== null) throw new Refusal('organisation_suspended');
}

/** Whose suspension begins or ends, when, and who decides. */
export type OrganisationSuspension = {
  /** The id as it was given, in any case. */
  readonly org_id: string;
  readonly suspended: boolean;
  readonly now: Date;
  readonly actor: NewAuditEntry['actor'];
};

/**
 * Suspends an organisation or ends its suspension, with an entry in the audit log if this changes anything. The organisation is locked until
 * the transaction ends.
 *
 * @returns the id of the organisation, and whether anything has changed.
 * @throws Refusal `organisation_not_found`.
 */
export async function changeOrganisationSuspension(
  tx: Transaction,
  { org_id: given_id, suspended, now, actor }: OrganisationSuspension,
): Promise<{ readonly org_id: string; readonly changed: boolean }> {
  const organisation = requireFound(await lockForSuspension(tx, given_id), 'organisation_not_found');
  const { id: org_id, suspended_at } = organisation;
  if ((suspended_at !== null) === suspended) return { org_id, changed: false };
  await updateSuspension(tx, org_id, suspended ? now : null);
  const action = suspended ? 'orgs.suspended' : 'orgs.resumed';
  await recordAudit(tx, { now, actor, action, org_id });
  return { org_id, changed: true };
}
