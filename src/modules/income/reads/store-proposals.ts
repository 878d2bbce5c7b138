import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import type { Side } from '#modules/income/books';
import type { Proposal, ProposalStatus } from './rules.ts';

const buildColumns = (now: Date): Statement => sql`
  id, member_id, org_id, known_as, data_type, price_aud_micros, case when status = 'pending' and expires_at <= ${now} then 'expired' else status end as status,
  created_at, expires_at`;

const buildPending = (now: Date): Statement => sql`status = 'pending' and expires_at > ${now}`;

export async function insertProposal(tx: Transaction, proposal: Proposal): Promise<void> {
  const p = proposal;
  await tx.run(sql`
    insert into read_proposals (id, member_id, org_id, known_as, data_type, price_aud_micros, status, created_at, expires_at)
    values (${p.id}, ${p.member_id}, ${p.org_id}, ${p.known_as}, ${p.data_type}, ${p.price_aud_micros}, ${p.status}, ${p.created_at}, ${p.expires_at})`);
}

/** Marks the pending proposals of a member that have expired, so that the database accepts others in their place. */
export async function expireProposals(tx: Transaction, member_id: string, now: Date): Promise<void> {
  await tx.run(sql`
    update read_proposals set status = 'expired' where member_id = ${member_id} and status = 'pending' and expires_at <= ${now}`);
}

/** Finds the pending proposal of a member for one type of data and organisation. */
export function findPendingProposal(
  db: Reader,
  { member_id, org_id, data_type }: Pick<Proposal, 'member_id' | 'org_id' | 'data_type'>,
  now: Date,
): Promise<Proposal | undefined> {
  return db.find(sql<Proposal>`
    select ${buildColumns(now)} from read_proposals
    where member_id = ${member_id} and org_id = ${org_id} and data_type = ${data_type} and ${buildPending(now)}`);
}

/** Counts what a member has recorded since two times: with anyone since the first, with one organisation since the second. */
export function countRecorded(
  db: Reader,
  { member_id, org_id }: Pick<Proposal, 'member_id' | 'org_id'>,
  { day, month }: { readonly day: Date; readonly month: Date },
): Promise<{ readonly of_day: number; readonly of_month: number }> {
  return db.one(sql<{ of_day: number; of_month: number }>`
    select count(*) filter (where created_at > ${day}) as of_day, count(*) filter (where org_id = ${org_id}) as of_month
    from read_proposals where member_id = ${member_id} and created_at > ${month}`);
}

/** Counts the proposals that wait for an organisation. */
export async function countPending(db: Reader, org_id: string, now: Date): Promise<number> {
  const { count } = await db.one(sql<{ count: number }>`
    select count(*) from read_proposals where org_id = ${org_id} and ${buildPending(now)}`);
  return count;
}

const buildSide = (side: Side): Statement =>
  'member_id' in side ? sql`member_id = ${side.member_id}` : sql`org_id = ${side.org_id}`;

/** Finds a proposal of one side. */
export function findProposal(db: Reader, side: Side, id: string, now: Date): Promise<Proposal | undefined> {
  return db.find(
    sql<Proposal>`select ${buildColumns(now)} from read_proposals where ${buildSide(side)} and id = ${id}`,
  );
}

/** Finds the pending proposal that an organisation pays by recording the same transaction. */
export function findPayableProposal(
  db: Reader,
  {
    org_id,
    known_as,
    data_type,
    price_aud_micros,
  }: Omit<Proposal, 'id' | 'member_id' | 'status' | 'created_at' | 'expires_at'>,
  now: Date,
): Promise<Proposal | undefined> {
  return db.find(sql<Proposal>`
    select ${buildColumns(now)} from read_proposals
    where org_id = ${org_id} and known_as = ${known_as} and data_type = ${data_type} and price_aud_micros = ${price_aud_micros}
      and ${buildPending(now)}`);
}

/** Which proposals of a side are listed, seen at a time. */
export type ProposalFilter = {
  readonly side: Side;
  readonly pending_only: boolean;
  readonly now: Date;
};

const buildFilter = ({ side, pending_only, now }: ProposalFilter): Statement =>
  sql`${buildSide(side)} ${pending_only ? sql`and ${buildPending(now)}` : emptySql}`;

/** Lists the proposals of one side, the newest first. */
export function listProposals(
  db: Reader,
  filter: ProposalFilter,
  after: readonly [created_at: string, id: string] | undefined,
  limit: number,
): Promise<Proposal[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Proposal>`
    select ${buildColumns(filter.now)} from read_proposals where ${buildFilter(filter)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export async function countProposals(db: Reader, filter: ProposalFilter): Promise<number> {
  const { count } = await db.one(
    sql<{ count: number }>`select count(*) from read_proposals where ${buildFilter(filter)}`,
  );
  return count;
}

/** Removes a pending proposal whose read is recorded under its id. @returns false if it is not pending any more. */
export async function takeProposal(
  tx: Transaction,
  { member_id, id }: Pick<Proposal, 'member_id' | 'id'>,
  now: Date,
): Promise<boolean> {
  const taken = await tx.run(sql`
    delete from read_proposals where member_id = ${member_id} and id = ${id} and ${buildPending(now)}`);
  return taken > 0;
}

/** Ends a pending proposal without a read. @returns false if it is not pending any more. */
export async function endProposal(
  tx: Transaction,
  { member_id, id }: Pick<Proposal, 'member_id' | 'id'>,
  status: Exclude<ProposalStatus, 'pending'>,
  now: Date,
): Promise<boolean> {
  const ended = await tx.run(sql`
    update read_proposals set status = ${status} where member_id = ${member_id} and id = ${id} and ${buildPending(now)}`);
  return ended > 0;
}

/** Deletes at most `limit` proposals that could be paid until before a time. @returns how many were deleted. */
export function deleteOldProposals(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from read_proposals where (member_id, id) in (
      select member_id, id from read_proposals where expires_at < ${before} limit ${limit})`);
}

/** Lists the transactions that a member has recorded and that were not paid. */
export function listProposalsAbout(
  db: Reader,
  member_id: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  return db.list(sql<Readonly<Record<string, unknown>>>`
    select id, org_id, known_as, data_type, price_aud_micros, status, created_at, expires_at from read_proposals
    where member_id = ${member_id} order by created_at, id`);
}

export async function deleteProposalsOfMember(tx: Transaction, member_id: string): Promise<void> {
  await tx.run(sql`delete from read_proposals where member_id = ${member_id}`);
}
