import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';

type ExportedRow = Readonly<Record<string, unknown>>;

export type DeletionRequest = {
  readonly member_id: string;
  readonly requested_at: Date;
  readonly erase_after: Date;
};

/** Stores a member's request for deletion unless there is one. The caller must hold the member's lock. @returns the stored request, and whether it is new. */
export async function insertDeletionRequest(
  tx: Transaction,
  { member_id, requested_at, erase_after }: DeletionRequest,
): Promise<{ readonly request: DeletionRequest; readonly is_new: boolean }> {
  const inserted_rows = await tx.run(sql`
    insert into deletion_requests (member_id, requested_at, erase_after) values (${member_id}, ${requested_at}, ${erase_after})
    on conflict do nothing`);
  const request = await tx.one(sql<DeletionRequest>`
    select member_id, requested_at, erase_after from deletion_requests where member_id = ${member_id}`);
  return { request, is_new: inserted_rows === 1 };
}

/** Deletes the request of a member who stays. @returns 1, or 0 if there is none, for example after the erasure. */
export function deleteDeletionRequest(tx: Transaction, member_id: string): Promise<number> {
  return tx.run(sql`delete from deletion_requests where member_id = ${member_id}`);
}

/** The ids of members whose retention period has passed, in order, after an id. */
export async function listDueDeletions(
  db: Reader,
  now: Date,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.list(sql<{ member_id: string }>`
    select member_id from deletion_requests where erase_after <= ${now} and member_id > ${after}
    order by member_id limit ${limit}`);
  return rows.map(({ member_id }) => member_id);
}

/** Locks the request of a member whose retention period has passed; undefined if another worker erases or has erased the member. */
export function lockDueDeletion(
  tx: Transaction,
  member_id: string,
  now: Date,
): Promise<DeletionRequest | undefined> {
  return tx.find(sql<DeletionRequest>`
    select member_id, requested_at, erase_after from deletion_requests
    where member_id = ${member_id} and erase_after <= ${now} for update skip locked`);
}

export type DataExport = {
  readonly id: string;
  readonly member_id: string;
  readonly task_id: string;
  readonly requested_at: Date;
};

export async function insertDataExport(tx: Transaction, dataExport: DataExport): Promise<void> {
  const { id, member_id, task_id, requested_at } = dataExport;
  await tx.run(sql`
    insert into data_exports (id, member_id, task_id, requested_at)
    values (${id}, ${member_id}, ${task_id}, ${requested_at})`);
}

/** The member's exports since a time, newest first; at most a hundred, without their content. */
export function listRecentExports(db: Reader, member_id: string, since: Date): Promise<DataExport[]> {
  return db.list(sql<DataExport>`
    select id, member_id, task_id, requested_at from data_exports
    where member_id = ${member_id} and requested_at > ${since} order by requested_at desc limit 100`);
}

/** The task of an export and when it was finished, or null; undefined if the export has been deleted. */
export function findDataExport(
  db: Reader,
  id: string,
): Promise<{ readonly task_id: string; readonly completed_at: Date | null } | undefined> {
  return db.find(sql<{ task_id: string; completed_at: Date | null }>`
    select task_id, completed_at from data_exports where id = ${id}`);
}

/** Stores the content of an export, unless it has been finished or erased in the meantime. */
export async function finishExport(db: Executor, id: string, archive: Buffer, now: Date): Promise<void> {
  await db.run(sql`
    update data_exports set archive = ${archive}, completed_at = ${now} where id = ${id} and archive is null`);
}

/** The member's export with a task, if it was requested since a time; its content is null until it is finished. */
export function findArchive(
  db: Reader,
  {
    task_id,
    member_id,
    since,
  }: { readonly task_id: string; readonly member_id: string; readonly since: Date },
): Promise<{ readonly archive: Buffer | null; readonly requested_at: Date } | undefined> {
  return db.find(sql<{ archive: Buffer | null; requested_at: Date }>`
    select archive, requested_at from data_exports
    where task_id = ${task_id} and member_id = ${member_id} and requested_at > ${since}`);
}

/** Deletes at most `limit` exports that were requested before a time. @returns how many were deleted. */
export function deleteOldExports(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from data_exports where id in (select id from data_exports where requested_at <= ${before} limit ${limit})`);
}

export function listMemberExports(db: Reader, member_id: string): Promise<ExportedRow[]> {
  return db.list(sql<ExportedRow>`
    select id, task_id, requested_at, completed_at from data_exports where member_id = ${member_id} order by requested_at, id`);
}

export function listMemberDeletionRequests(db: Reader, member_id: string): Promise<ExportedRow[]> {
  return db.list(
    sql<ExportedRow>`select requested_at, erase_after from deletion_requests where member_id = ${member_id}`,
  );
}

/** Deletes the member's exports and requests. */
export async function deleteMemberRequests(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from data_exports where member_id = ${member_id}`);
  await tx.run(sql`delete from deletion_requests where member_id = ${member_id}`);
}
