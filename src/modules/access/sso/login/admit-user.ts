import { isOrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import {
  displaceAccount,
  findAccount,
  insertAccount,
  isAddressOwner,
  no_password,
  updateLastLogin,
  type Account,
  type User,
} from '#modules/access/accounts';
import { checkDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { createResponseRefusal, findAdministratorWait, type Admission } from '../rules.ts';

/**
 * An organisation's identity provider may log in users of the organisation and, with addresses of a domain that the organisation holds, new
 * users, but no other account of this service.
 */
export async function admitUser(
  context: Context<never>,
  tx: Transaction,
  admission: Admission,
  email: string,
): Promise<User> {
  const account = await findAccount(tx, email);
  const isColleague = account && isOrgRole(account.role) && account.linked_entity_id === admission.org_id;
  if (!isColleague) return admitNewUser(context, tx, admission, { email, account });
  if (account.suspended_at !== null) throw new Refusal('account_suspended');
  if (account.role === 'org_admin') requireEstablishedProvider(admission, context.now());
  const user = await updateLastLogin(tx, account, context.now());
  if (!user) throw createResponseRefusal('The account has just changed. Log in again.');
  return user;
}

/** Anyone who has taken over an administrator's session must not log in as the others by a provider of their own. */
function requireEstablishedProvider(admission: Admission, now: Date): void {
  const from = findAdministratorWait(admission, now);
  if (from === null) return;
  throw new Refusal('sso_provider_new', {
    detail: `The identity provider is new or was changed. It logs administrators in from ${from.toISOString()}. Until then, administrators use a password or a passkey.`,
  });
}

type NewUser = { readonly email: string; readonly account: Account | undefined };

/**
 * Creates an account. If another account has the address without ever having verified it, a proof of the domain displaces it, because
 * its owner controls its mailboxes. A reserved name proves nothing.
 */
async function admitNewUser(
  context: Context<never>,
  tx: Transaction,
  { org_id, default_role }: Admission,
  { email, account }: NewUser,
): Promise<User> {
  const holding = await checkDomainHolder(context, tx, { org_id, domain: readMailDomain(email) });
  // Before anything about the account, so that a claim without a proof reveals nothing about the addresses of the domain.
  if (holding === 'none') throw new Refusal('sso_domain_unverified');
  if (account && (holding !== 'proven' || isAddressOwner(account))) throw new Refusal('sso_account_refused');
  if (account) await displaceAccount(context, tx, email);
  const now = context.now();
  const user = await insertAccount(tx, {
    email,
    role: default_role,
    org_id,
    password_hash: no_password,
    now,
  });
  await recordAudit(tx, {
    now,
    actor: { user_id: user.id, role: default_role },
    action: 'sso.user_created',
    org_id,
    detail: { role: default_role },
  });
  return user;
}
