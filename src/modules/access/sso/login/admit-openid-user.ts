import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import { changeOrgUser, findAccount, no_password, type User } from '#modules/access/accounts';
import { checkDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import type { OpenidConfiguration, ProvenUser } from '../openid/rules.ts';
import { findSubject, upsertSubject } from '../openid/store.ts';
import { admitUser } from './admit-user.ts';

type Admitted = ProvenUser & { readonly role: OpenidConfiguration['default_role'] };

/**
 * Admits a user whom the provider knows by a subject. The first login finds the account by its address, and later ones by the subject, so that an address that the provider
 * gives to another person does not open the account.
 *
 * @throws Refusal `sso_domain_unverified`, `sso_account_refused` and those of {@link admitUser}.
 */
export async function admitOpenidUser(
  context: Context<never>,
  tx: Transaction,
  configuration: OpenidConfiguration,
  { subject, email, role }: Admitted,
): Promise<User> {
  const { org_id } = configuration;
  // Of colleagues too: the provider answers only for the addresses of domains that are proven to be the organisation's.
  const holding = await checkDomainHolder(context, tx, { org_id, domain: readMailDomain(email) });
  if (holding === 'none') throw new Refusal('sso_domain_unverified');
  const known = await findSubject(tx, { org_id, subject });
  if (!known) await requireLinkable(tx, org_id, email);
  const address = known?.email ?? email;
  const user = await admitUser(context, tx, { ...configuration, default_role: role }, address);
  if (!(await upsertSubject(tx, { org_id, subject, user_id: user.id })))
    throw new Refusal('sso_account_refused', {
      detail:
        'The account with this address belongs to another user of the provider. An administrator of the organisation can remove it, and the next login creates a new one.',
    });
  return configuration.role_claim === null ? user : giveRole(context, tx, user, role);
}

/** Somebody may have registered an address that is not theirs. Their password must not become one of two ways into the account of its owner. */
async function requireLinkable(tx: Transaction, org_id: string, email: string): Promise<void> {
  const account = await findAccount(tx, email);
  if (account?.linked_entity_id !== org_id) return;
  if (account.email_verified || account.password_hash === no_password) return;
  throw new Refusal('sso_account_refused', {
    detail:
      'The account with this address has not verified it. Log in with its password and verify the address first.',
  });
}

/** The provider decides at every login, except about administrators. */
async function giveRole(
  context: Context<never>,
  tx: Transaction,
  user: User,
  role: Admitted['role'],
): Promise<User> {
  if (user.role === role || user.role === 'org_admin') return user;
  await changeOrgUser(context, tx, { user_id: user.id, role });
  await recordAudit(tx, {
    now: context.now(),
    actor: null,
    action: 'orgs.user_role_changed',
    org_id: user.linked_entity_id,
    detail: { user_id: user.id, role_before: user.role, role },
  });
  return { ...user, role };
}
