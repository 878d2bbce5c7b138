import { Refusal, requireFound } from '#lib/refusal.ts';
import { changeOrgUser, changeUserSuspension } from '#modules/access/accounts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { listGivenRoles } from '../groups/store.ts';
import { isActive, selectNewRole, type DirectoryUser, type UserChange } from '../rules.ts';
import { findDirectoryUser, upsertDirectoryFacts } from '../store.ts';
import { endAccess } from './end-access.ts';

type AdminContext = Context<'org_admin'>;

/** What {@link changeUser} may refuse. */
export const changeRefusals = [
  'user_not_found',
  'organisation_not_found',
  'organisation_tier_too_low',
  'sso_domain_unverified',
  'directory_user_exists',
  'directory_value_fixed',
  'directory_key_owner',
  'last_admin',
  'account_suspended',
  'precondition_failed',
] as const;

/**
 * Changes a user as the directory says. The caller holds the organisation's lock.
 *
 * @returns the user as it is then. Nothing is written for a change that changes nothing, which directories often send.
 */
export async function changeUser(
  context: AdminContext,
  tx: Transaction,
  user: DirectoryUser,
  change: UserChange,
): Promise<DirectoryUser> {
  const { org_id } = context.caller;
  const changes = selectChanges(user, await leaveOutGivenRole(context, tx, user, change));
  if (Object.keys(changes).length === 0) return user;
  await changeAccount(context, tx, user, changes);
  if (changes.active !== undefined) await changeActivity(context, tx, user, changes.active);
  const changed_at = context.now();
  const external_id = changes.external_id === undefined ? user.external_id : changes.external_id;
  const deactivated_at =
    changes.active === undefined ? user.deactivated_at : changes.active ? null : changed_at;
  await upsertDirectoryFacts(tx, { user_id: user.id, org_id, external_id, deactivated_at, changed_at });
  const fields = Object.keys(changes).toSorted().join(' ');
  const detail = { user_id: user.id, fields };
  await recordCallerAudit(context, tx, { action: 'directories.user_changed', org_id, detail });
  return requireFound(await findDirectoryUser(tx, { id: user.id, org_id }), 'user_not_found');
}

/** Leaves out the role of a user whose groups give one: an administrator has decided so. */
async function leaveOutGivenRole(
  { caller: { org_id } }: AdminContext,
  tx: Transaction,
  { id, role: role_before }: DirectoryUser,
  change: UserChange,
): Promise<UserChange> {
  const { role, ...rest } = change;
  if (role === undefined || role === role_before) return change;
  const [user] = await listGivenRoles(tx, org_id, [id]);
  return user && user.given.length > 0 ? rest : change;
}

/** Leaves out what is so already. */
function selectChanges(user: DirectoryUser, change: UserChange): UserChange {
  const { email, external_id, display_name, active, role } = change;
  return {
    ...(email !== undefined && email !== user.email && { email }),
    ...(external_id !== undefined && external_id !== user.external_id && { external_id }),
    ...(display_name !== undefined && display_name !== user.display_name && { display_name }),
    ...(active !== undefined && active !== isActive(user) && { active }),
    ...(role !== undefined && role !== user.role && { role: selectNewRole(user.role, role) }),
  };
}

async function changeAccount(
  context: AdminContext,
  tx: Transaction,
  { id: user_id, role: role_before }: DirectoryUser,
  { email, display_name, role }: UserChange,
): Promise<void> {
  if (email !== undefined) {
    // Anyone who could change the address of an administrator could log in as one.
    if (role_before === 'org_admin')
      throw new Refusal('directory_value_fixed', {
        detail: 'A directory does not change the address of an administrator.',
      });
    await requireDomain(context, tx, email);
  }
  await changeOrgUser(context, tx, {
    user_id,
    ...(email !== undefined && { email }),
    ...(display_name !== undefined && { display_name }),
    ...(role !== undefined && { role }),
  }).catch(hideTakenEmail);
}

/** @throws Refusal `sso_domain_unverified`. */
export async function requireDomain(context: AdminContext, tx: Transaction, email: string): Promise<void> {
  const holding = await checkDomainHolder(context, tx, {
    org_id: context.caller.org_id,
    domain: readMailDomain(email),
  });
  if (holding === 'none') throw new Refusal('sso_domain_unverified');
}

/** Says no more about an account outside the organisation than that the name is taken. */
export function hideTakenEmail(error: unknown): never {
  if (error instanceof Refusal && error.code === 'email_taken') throw new Refusal('directory_user_exists');
  throw error;
}

/** The directory lifts only what it did itself: a suspension by the operator stays. */
async function changeActivity(
  context: AdminContext,
  tx: Transaction,
  user: DirectoryUser,
  active: boolean,
): Promise<void> {
  if (active && user.deactivated_at === null)
    throw new Refusal('account_suspended', {
      detail: 'The operator has suspended this account, and only the operator resumes it.',
    });
  const { id: user_id } = user;
  if (!active) await endAccess(context, tx, user);
  await changeUserSuspension(context, tx, { user_id, suspended: !active, actor: context.caller });
}
