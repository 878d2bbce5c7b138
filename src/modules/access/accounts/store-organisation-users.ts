import { sql, type Reader } from '#platform/database/database.ts';

/** A user of an organisation who can be emailed. */
export type ReachableUser = {
  readonly email: string;
  readonly is_admin: boolean;
  readonly is_organisation_suspended: boolean;
};

/** Finds a user of an organisation who can act for it and has a verified address. What the email is about decides who may have it. */
export function findReachableUser(
  db: Reader,
  { org_id, user_id }: { readonly org_id: string; readonly user_id: string },
): Promise<ReachableUser | undefined> {
  return db.find(sql<ReachableUser>`
    select email, role = 'org_admin' as is_admin, org_id in (select id from suspended_organisations) as is_organisation_suspended
    from org_users
    where id = ${user_id} and org_id = ${org_id} and suspended_at is null and email_verified_at is not null`);
}

/** Lists the ids of the administrators of an organisation who can be emailed, the first ones first. An organisation has at most 200 users. */
export async function listAdministrators(
  db: Reader,
  org_id: string,
  limit = 200,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from org_users
    where org_id = ${org_id} and role = 'org_admin' and suspended_at is null and email_verified_at is not null
    order by created_at, id limit ${limit}`);
  return rows.map(({ id }) => id);
}

const emails_max = 200;

/** Lists the verified addresses of an organisation's administrators. */
export async function listAdministratorEmails(db: Reader, org_id: string): Promise<readonly string[]> {
  const rows = await db.list(sql<{ email: string }>`
    select email from org_users
    where org_id = ${org_id} and role = 'org_admin' and suspended_at is null and email_verified_at is not null
    limit ${emails_max}`);
  return rows.map(({ email }) => email);
}

/** Lists the ids of all administrators of an organisation who can log in, also of those whose address is not verified. */
export async function listAllAdministrators(db: Reader, org_id: string): Promise<readonly string[]> {
  const rows = await db.list(sql<{ id: string }>`
    select id from org_users where org_id = ${org_id} and role = 'org_admin' and suspended_at is null order by id`);
  return rows.map(({ id }) => id);
}
