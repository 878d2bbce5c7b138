import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import type { Credential, SignedForms } from './signing/signed-forms.ts';
import type { CredentialStatement } from './signing/statement.ts';
import type { CredentialStatus, CredentialType, Visibility } from './rules.ts';

export type { Credential };

const columns = sql`
  id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at, revoked_at, revocation_reason, visibility,
  status_list_id, status_index, verifications, vc_jwt, sd_jwt_vc, attestation_token, open_badge`;

/** Inserts active, private credentials. */
export function insertCredentials(
  tx: Transaction,
  credentials: readonly (CredentialStatement & SignedForms)[],
): void {
  const readColumn = <Key extends keyof (CredentialStatement & SignedForms)>(key: Key) =>
    credentials.map((each) => each[key]);
  void tx.runAhead(sql`
    insert into credentials (id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at, status_list_id,
      status_index, vc_jwt, sd_jwt_vc, attestation_token, open_badge)
    select * from unnest(
      ${readColumn('id')}::uuid[], ${readColumn('member_id')}::uuid[], ${readColumn('credential_type')}::text[],
      ${readColumn('attestation_tier')}::text[], ${readColumn('claims').map((claims) => JSON.stringify(claims))}::jsonb[],
      ${readColumn('issued_at')}::timestamptz[], ${readColumn('expires_at')}::timestamptz[], ${readColumn('status_list_id')}::uuid[],
      ${readColumn('status_index')}::integer[], ${readColumn('vc_jwt')}::text[], ${readColumn('sd_jwt_vc')}::text[],
      ${readColumn('attestation_token')}::text[], ${readColumn('open_badge')}::text[])`);
  void tx.runAhead(sql`
    insert into credential_holders (credential_id, member_id)
    select * from unnest(${readColumn('id')}::uuid[], ${readColumn('member_id')}::uuid[])`);
}

export type CredentialKey = Pick<Credential, 'id' | 'member_id'>;

/** Finds whose the credential with an id is; undefined if there is none. */
export function findCredentialKey(db: Reader, id: string): Promise<CredentialKey | undefined> {
  return db.find(sql<CredentialKey>`
    select credential_id as id, member_id from credential_holders where credential_id = ${id}`);
}

/** The credential of a member with an id, or undefined. */
export function findCredential(
  db: Reader,
  { id, member_id }: CredentialKey,
): Promise<Credential | undefined> {
  return db.find(
    sql<Credential>`select ${columns} from credentials where member_id = ${member_id} and id = ${id}`,
  );
}

/** The credential of a member with an id, locked against changes by other transactions. */
export function lockCredential(
  tx: Transaction,
  { id, member_id }: CredentialKey,
): Promise<Credential | undefined> {
  return tx.find(sql<Credential>`
    select ${columns} from credentials where member_id = ${member_id} and id = ${id} for no key update`);
}

/** Stores when and why a credential was revoked. */
export async function updateRevocation(
  tx: Transaction,
  { id, member_id }: CredentialKey,
  revoked_at: Date,
  reason: string | null,
): Promise<void> {
  await tx.run(sql`
    update credentials set revoked_at = ${revoked_at}, revocation_reason = ${reason} where member_id = ${member_id} and id = ${id}`);
}

/** What finds credentials that have not expired, of any member, in the order of their ids. */
export function listUnexpiredKeys(
  db: Reader,
  after: string,
  now: Date,
  limit: number,
): Promise<CredentialKey[]> {
  return db.list(sql<CredentialKey>`
    select id, member_id from credentials where id > ${after} and expires_at > ${now} order by id limit ${limit}`);
}

export async function updateForms(
  tx: Transaction,
  { id, member_id }: CredentialKey,
  forms: SignedForms,
): Promise<void> {
  const { vc_jwt, sd_jwt_vc, attestation_token, open_badge } = forms;
  await tx.run(sql`
    update credentials set vc_jwt = ${vc_jwt}, sd_jwt_vc = ${sd_jwt_vc}, attestation_token = ${attestation_token},
      open_badge = ${open_badge}
    where member_id = ${member_id} and id = ${id}`);
}

/** Stores whether anyone who knows only the id of a credential may see its content. */
export async function updateVisibility(
  tx: Transaction,
  { id, member_id }: CredentialKey,
  visibility: Visibility,
): Promise<void> {
  await tx.run(sql`
    update credentials set visibility = ${visibility} where member_id = ${member_id} and id = ${id}`);
}

/** Adds to the verification counts of credentials. Ids of deleted credentials are ignored. */
export async function addVerifications(db: Executor, counts: ReadonlyMap<string, number>): Promise<void> {
  const ids = [...counts.keys()];
  const keys = await db.list(sql<CredentialKey>`
    select credential_id as id, member_id from credential_holders where credential_id = any(${ids}::uuid[])`);
  await db.run(sql`
    update credentials set verifications = verifications + counted.times
    from unnest(${keys.map(({ member_id }) => member_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[],
      ${keys.map(({ id }) => counts.get(id) ?? 0)}::integer[]) as counted (member_id, id, times)
    where credentials.member_id = counted.member_id and credentials.id = counted.id`);
}

export type CredentialFilter = {
  /** Undefined selects the credentials of all members. */
  readonly member_id: string | undefined;
  readonly status: CredentialStatus | undefined;
  readonly credential_type: CredentialType | undefined;
};

/** The position of a credential in a list: its time of issue (ISO 8601) and its id. */
export type CredentialPlace = readonly [issued_at: string, id: string];

/** Credentials, newest first. */
export function listCredentials(
  db: Reader,
  filter: CredentialFilter,
  now: Date,
  after: CredentialPlace | undefined,
  limit: number,
): Promise<Credential[]> {
  const from = after ? sql`and (issued_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Credential>`
    select ${columns} from credentials where ${buildFilterCondition(filter, now)} ${from} order by issued_at desc, id desc limit ${limit}`);
}

export function countCredentials(db: Reader, filter: CredentialFilter, now: Date): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from credentials where ${buildFilterCondition(filter, now)}`,
  );
}

function buildFilterCondition(
  { member_id, status, credential_type }: CredentialFilter,
  now: Date,
): Statement {
  return sql`true
    ${member_id === undefined ? emptySql : sql`and member_id = ${member_id}`}
    ${credential_type === undefined ? emptySql : sql`and credential_type = ${credential_type}`}
    ${status === undefined ? emptySql : buildStatusCondition(status, now)}`;
}

/** Selects by the same rule as `computeCredentialStatus`. */
function buildStatusCondition(status: CredentialStatus, now: Date): Statement {
  if (status === 'revoked') return sql`and revoked_at is not null`;
  return status === 'expired'
    ? sql`and revoked_at is null and expires_at <= ${now}`
    : sql`and revoked_at is null and expires_at > ${now}`;
}
