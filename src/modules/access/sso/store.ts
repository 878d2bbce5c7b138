import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Configuration } from './rules.ts';

/** The configuration of an organisation, enabled or not; undefined if it has none. */
export function findConfiguration(db: Reader, org_id: string): Promise<Configuration | undefined> {
  return db.find(sql<Configuration>`
    select
      org_id, enabled, idp_entity_id, idp_sso_url, idp_certificates, idp_metadata_url, email_attribute, name_attribute, email_domains,
      default_role, allow_idp_initiated, created_at, updated_at, provider_changed_at
    from sso_configurations where org_id = ${org_id}`);
}

/** Locks the configuration of an organisation against other changes; undefined if it has none. */
export function lockForChange(tx: Transaction, org_id: string): Promise<Configuration | undefined> {
  return tx.find(sql<Configuration>`
    select
      org_id, enabled, idp_entity_id, idp_sso_url, idp_certificates, idp_metadata_url, email_attribute, name_attribute, email_domains,
      default_role, allow_idp_initiated, created_at, updated_at, provider_changed_at
    from sso_configurations where org_id = ${org_id} for update`);
}

/** Stores an organisation's configuration and replaces the earlier one, except its time of creation. */
export async function upsertConfiguration(
  tx: Transaction,
  configuration: Configuration,
): Promise<Configuration> {
  const {
    org_id,
    enabled,
    idp_entity_id,
    idp_sso_url,
    idp_certificates,
    idp_metadata_url,
    email_attribute,
    name_attribute,
    email_domains,
    default_role,
    allow_idp_initiated,
    created_at,
    updated_at,
    provider_changed_at,
  } = configuration;
  return tx.one(sql<Configuration>`
    insert into sso_configurations as kept (
      org_id, enabled, idp_entity_id, idp_sso_url, idp_certificates, idp_metadata_url, email_attribute, name_attribute, email_domains,
      default_role, allow_idp_initiated, created_at, updated_at, provider_changed_at
    ) values (
      ${org_id}, ${enabled}, ${idp_entity_id}, ${idp_sso_url}, ${idp_certificates}, ${idp_metadata_url}, ${email_attribute},
      ${name_attribute}, ${email_domains}, ${default_role}, ${allow_idp_initiated}, ${created_at}, ${updated_at},
      ${provider_changed_at}
    )
    on conflict (org_id) do update set
      enabled = excluded.enabled, idp_entity_id = excluded.idp_entity_id, idp_sso_url = excluded.idp_sso_url,
      idp_certificates = excluded.idp_certificates, idp_metadata_url = excluded.idp_metadata_url,
      email_attribute = excluded.email_attribute, name_attribute = excluded.name_attribute, email_domains = excluded.email_domains,
      default_role = excluded.default_role, allow_idp_initiated = excluded.allow_idp_initiated, updated_at = excluded.updated_at,
      provider_changed_at = excluded.provider_changed_at
    returning kept.*`);
}

/** Locks an enabled configuration against changes; undefined if it has changed since it was read. */
export function lockConfiguration(
  tx: Transaction,
  { org_id, updated_at }: Pick<Configuration, 'org_id' | 'updated_at'>,
): Promise<{ readonly org_id: string } | undefined> {
  return tx.find(sql<{ org_id: string }>`
    select org_id from sso_configurations where org_id = ${org_id} and updated_at = ${updated_at} and enabled for share`);
}

/** A login that was started at this service. */
export type LoginRequest = {
  readonly id: string;
  readonly org_id: string;
  readonly browser_hash: Buffer;
  readonly expires_at: Date;
};

export async function insertRequest(tx: Transaction, request: LoginRequest): Promise<void> {
  const { id, org_id, browser_hash, expires_at } = request;
  await tx.run(sql`
    insert into sso_requests (id, org_id, browser_hash, expires_at) values (${id}, ${org_id}, ${browser_hash}, ${expires_at})`);
}

/** Consumes a login request; undefined if it is unknown, used, expired or another organisation's. Of two concurrent uses, one succeeds. */
export function deleteRequest(
  tx: Transaction,
  { id, org_id, now }: { readonly id: string; readonly org_id: string; readonly now: Date },
): Promise<{ readonly browser_hash: Buffer } | undefined> {
  return tx.find(sql<{ browser_hash: Buffer }>`
    delete from sso_requests where id = ${id} and org_id = ${org_id} and expires_at > ${now} returning browser_hash`);
}

/** Records that an assertion was used. @returns false if it had been used before. */
export async function insertAssertion(
  tx: Transaction,
  {
    org_id,
    assertion_id,
    expires_at,
  }: { readonly org_id: string; readonly assertion_id: string; readonly expires_at: Date },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into sso_assertions (org_id, assertion_id, expires_at) values (${org_id}, ${assertion_id}, ${expires_at})
    on conflict do nothing`);
  return inserted === 1;
}

/** Deletes expired requests and assertions, at most `rows_max` of each. @returns the number deleted. */
export async function deleteExpiredRows(db: Executor, now: Date, rows_max: number): Promise<number> {
  const requests = await db.run(sql`
    delete from sso_requests where id in (select id from sso_requests where expires_at <= ${now} limit ${rows_max})`);
  const assertions = await db.run(sql`
    delete from sso_assertions where (org_id, assertion_id) in (
      select org_id, assertion_id from sso_assertions where expires_at <= ${now} limit ${rows_max})`);
  return requests + assertions;
}
