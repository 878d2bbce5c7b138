import { changeOrganisationSuspension } from '#modules/organisations/orgs';
import type { NewAuditEntry } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { organisationResumed } from '../events.ts';
import { queueNotice } from '../send-notice.ts';
import { recordOrganisationSuspension, recordRevokedSessions } from '../sessions/watch-sessions.ts';
import { listAdministrators } from '../store-organisation-users.ts';
import { revokeOrganisationSessions } from './store.ts';

type Result = { readonly org_id: string; readonly suspended: boolean };

type Change = Result & { readonly actor: NewAuditEntry['actor'] };

/**
 * Suspends an organisation or lifts its suspension, for the operator at the command line.
 *
 * @throws Refusal `organisation_not_found`.
 */
export function changeOrganisationFromCommand(
  platform: Platform,
  input: Readonly<Record<string, string>>,
  suspended: boolean,
): Promise<Result> {
  const change = { org_id: input['org'] ?? '', suspended, actor: null };
  return platform.database.transaction((tx) => changeOrganisation(platform, tx, change));
}

/**
 * Suspends an organisation or lifts its suspension, and emails its administrators. A suspension ends the sessions of all its users: the lock
 * of the organisation makes a login in progress either finish before, so that its session is found, or be refused. Repeating either
 * changes nothing.
 *
 * @throws Refusal `organisation_not_found`.
 */
export async function changeOrganisation(
  services: Services,
  tx: Transaction,
  { org_id: given_id, suspended, actor }: Change,
): Promise<Result> {
  const now = services.now();
  const { org_id, changed } = await changeOrganisationSuspension(tx, {
    org_id: given_id,
    suspended,
    now,
    actor,
  });
  tx.afterCommit(() => recordOrganisationSuspension(services, org_id, suspended));
  if (!changed) return { org_id, suspended };
  if (suspended) await endSessions(services, tx, org_id, now);
  else await services.queue.emit(tx, organisationResumed, { org_id });
  const notice = suspended ? 'organisation_suspended' : 'organisation_resumed';
  for (const user_id of await listAdministrators(tx, org_id))
    await queueNotice(services, tx, user_id, notice);
  return { org_id, suspended };
}

async function endSessions(services: Services, tx: Transaction, org_id: string, now: Date): Promise<void> {
  const session_ids = await revokeOrganisationSessions(tx, org_id, now);
  recordRevokedSessions(services, tx, session_ids, now);
}
