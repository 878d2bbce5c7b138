import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { isUuid } from '#lib/text/is-uuid.ts';
import { recordAudit } from '#modules/operations/audit';
import { readMailDomain } from '#modules/organisations/orgs';
import type { Platform } from '#platform/platform.ts';
import { toCanonicalEmail, isEmail } from '../rules.ts';
import { findAccount, type User } from '../store.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { checkNewPassword, checkPasswordWords, insertAccount, type NewAccount } from './new-account.ts';

/** The account that an operator creates. */
export type NewUser = Pick<NewAccount, 'email' | 'role' | 'name' | 'org_id'> & { readonly password: string };

/**
 * Creates an account of any role, for the operator. The roles of an organisation require its `org_id`; an org_admin without one gets a new
 * organisation, named `name` or else after the domain of the address. No email is sent. The address is unverified until the user requests
 * the link and opens it.
 *
 * @throws Refusal `field_invalid`, `password_too_weak`, `password_too_common`, `email_taken`, `organisation_not_found`.
 */
export async function createUser(platform: Platform, user: NewUser): Promise<User> {
  const { email, role, org_id } = user;
  if (!isEmail(toCanonicalEmail(email)))
    throw createFieldRefusal('field_invalid', '/email', 'must be an email address');
  if (org_id !== undefined && !isUuid(org_id)) throw new Refusal('organisation_not_found');
  const name = user.name ?? (role === 'org_admin' ? readMailDomain(toCanonicalEmail(email)) : undefined);
  await checkNewPassword(user.password, '/password');
  checkPasswordWords(user.password, [email, name]);
  const password_hash = await hashPassword(user.password);
  const now = platform.now();
  return platform.database.transaction(async (tx) => {
    const created = await insertAccount(tx, { email, role, org_id, name, password_hash, now });
    const detail = { user_id: created.id, role };
    await recordAudit(tx, {
      now,
      actor: null,
      action: 'auth.user_created',
      ...buildAuditSubject(created),
      detail,
    });
    return created;
  });
}

/** Creates the platform administrator of the configuration, unless an account with that address exists. */
export async function ensureAdmin(platform: Platform): Promise<void> {
  const { config, database, log } = platform;
  if (!config.admin) return;
  const account = await findAccount(database, toCanonicalEmail(config.admin.email));
  if (account === undefined) return createAdmin(platform, config.admin);
  if (account.role === 'platform_admin') return;
  log.warn({ role: account.role }, 'TESSERA_ADMIN_EMAIL belongs to an account that is not a platform_admin');
}

async function createAdmin(
  platform: Platform,
  admin: { readonly email: string; readonly password: string },
): Promise<void> {
  await createUser(platform, { ...admin, role: 'platform_admin' }).catch((error: unknown) => {
    // Another node that is starting now has created it.
    if (!(error instanceof Refusal && error.code === 'email_taken')) throw error;
  });
}
