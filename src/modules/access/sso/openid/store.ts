import { sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { OpenidConfiguration } from './rules.ts';

const columns = sql`org_id, enabled, issuer, client_id, client_secret, email_domains, default_role, role_claim, auditor_values, created_at, updated_at,
  provider_changed_at`;

/** The OpenID Connect configuration of an organisation, enabled or not; undefined if it has none. */
export function findOpenidConfiguration(
  db: Reader,
  org_id: string,
): Promise<OpenidConfiguration | undefined> {
  return db.find(sql<OpenidConfiguration>`
    select ${columns} from openid_configurations where org_id = ${org_id}`);
}

/** Locks an enabled configuration against changes; undefined if it has changed since it was read. */
export function lockOpenidConfiguration(
  tx: Transaction,
  { org_id, updated_at }: Pick<OpenidConfiguration, 'org_id' | 'updated_at'>,
): Promise<{ readonly org_id: string } | undefined> {
  return tx.find(sql<{ org_id: string }>`
    select org_id from openid_configurations where org_id = ${org_id} and updated_at = ${updated_at} and enabled for share`);
}

/** Stores an organisation's configuration and replaces the earlier one, except its time of creation. */
export function upsertOpenidConfiguration(
  tx: Transaction,
  configuration: OpenidConfiguration,
): Promise<OpenidConfiguration> {
  const { org_id, enabled, issuer, client_id, client_secret, email_domains, default_role } = configuration;
  const { role_claim, auditor_values, created_at, updated_at, provider_changed_at } = configuration;
  return tx.one(sql<OpenidConfiguration>`
    insert into openid_configurations as kept (
      org_id, enabled, issuer, client_id, client_secret, email_domains, default_role, role_claim, auditor_values, created_at, updated_at,
      provider_changed_at
    ) values (
      ${org_id}, ${enabled}, ${issuer}, ${client_id}, ${client_secret}, ${email_domains}, ${default_role}, ${role_claim},
      ${auditor_values}, ${created_at}, ${updated_at}, ${provider_changed_at}
    )
    on conflict (org_id) do update set
      enabled = excluded.enabled, issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
      email_domains = excluded.email_domains, default_role = excluded.default_role, role_claim = excluded.role_claim,
      auditor_values = excluded.auditor_values, updated_at = excluded.updated_at, provider_changed_at = excluded.provider_changed_at
    returning kept.*`);
}

/** The user of an organisation whom its provider means by a subject; undefined for a new one, and for one who was removed. */
export function findSubject(
  db: Reader,
  { org_id, subject }: { readonly org_id: string; readonly subject: string },
): Promise<{ readonly email: string } | undefined> {
  return db.find(sql<{ email: string }>`
    select email from openid_subjects join org_users on org_users.id = user_id and org_users.org_id = openid_subjects.org_id
    where openid_subjects.org_id = ${org_id} and subject = ${subject}`);
}

/**
 * Records whom the provider means by a subject. A subject whose user was removed means the new one.
 *
 * @returns false if the user is known by another subject.
 */
export async function upsertSubject(
  tx: Transaction,
  {
    org_id,
    subject,
    user_id,
  }: { readonly org_id: string; readonly subject: string; readonly user_id: string },
): Promise<boolean> {
  const known = await tx.find(sql<{ subject: string }>`
    select subject from openid_subjects where user_id = ${user_id}`);
  if (known) return known.subject === subject;
  await tx.run(sql`
    insert into openid_subjects (org_id, subject, user_id) values (${org_id}, ${subject}, ${user_id})
    on conflict (org_id, subject) do update set user_id = excluded.user_id`);
  return true;
}

/** Forgets whom the provider of an organisation means, because another one means others by the same words. */
export async function deleteSubjects(tx: Transaction, org_id: string): Promise<void> {
  await tx.run(sql`delete from openid_subjects where org_id = ${org_id}`);
}
