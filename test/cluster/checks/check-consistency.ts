import type pg from 'pg';
import type { Load } from '../load/whole-load.ts';
import { listMissing, readColumn, type Findings } from './rows.ts';

/**
 * Compares what is written together: on a distributed database, rows of one transaction are on several servers, each of which could lose its part.
 *
 * @returns what is there without what belongs to it.
 */
export async function checkConsistency(client: pg.Client, { differences }: Load): Promise<Findings> {
  const list = (statement: string) => readColumn(client, statement);
  const [members, users] = [
    await list('select id from members'),
    await list('select member_id from users where member_id is not null'),
  ];
  const audited = await listAudited(client);
  const jobs = await list('select id from jobs');
  const reads = await list('select id from reads');
  return {
    'members without a user': listMissing(members, users),
    'users without a member': listMissing(users, members),
    'registrations without an entry in the audit log': compareCounts(
      (await list('select id from users')).length + audited('rights.member_erased').length,
      audited('auth.registered').length,
    ),
    'jobs without an entry in the audit log': compareCounts(jobs.length, audited('jobs.created').length),
    'jobs created twice': listRepeated(await list("select title from jobs where title like 'Job %'")),
    'active jobs that were never computed': await list(
      "select id from jobs where status = 'active' and matches_computed_at is null",
    ),
    'reads without an entry in the audit log': compareCounts(
      reads.length,
      audited('queries.recorded').length,
    ),
    'payouts without an entry in the audit log': compareCounts(
      (await list("select id from payouts where kind = 'income'")).length,
      audited('ledger.payout_requested').length,
    ),
    ...(await checkPayments(client)),
    'payments that brought something else the second time': differences,
  };
}

/** Each payment that was taken has one read of its amount or a refund, and each paid read has its payment and its journal. */
async function checkPayments(client: pg.Client): Promise<Findings> {
  const list = (statement: string) => readColumn(client, statement);
  const payments = await list("select id || ' ' || amount_micros from payments where state = 'recorded'");
  const reads = await list(
    "select payment_id || ' ' || gross_micros from reads where payment_id is not null",
  );
  const journals = await list("select payment_id from ledger_journals where kind = 'read'");
  const toId = (line: string) => line.split(' ')[0]!;
  return {
    'payments without their read': listMissing(payments, reads),
    'reads without their payment': listMissing(reads, payments),
    'reads that were paid twice': listRepeated(reads.map(toId)),
    'reads without their journal': listMissing(reads.map(toId), journals),
    'journals without their read': listMissing(journals, reads.map(toId)),
    'payments without an end': await list(
      "select id || ' ' || state from payments where state not in ('recorded', 'refused')",
    ),
    'payouts without an end': await list("select id from payouts where status not in ('paid', 'returned')"),
  };
}

async function listAudited(client: pg.Client) {
  const { rows } = await client.query<{ action: string; id: string }>('select action, id from audit_log');
  return (action: string) => rows.filter((row) => row.action === action);
}

function compareCounts(wanted: number, found: number): readonly string[] {
  return wanted === found ? [] : [`${wanted} and ${found}`];
}

function listRepeated(values: readonly string[]): readonly string[] {
  return values.filter((value, position) => values.indexOf(value) !== position);
}
