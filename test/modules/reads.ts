import { randomUUID } from 'node:crypto';
import type { DataType } from '#modules/income/reads';
import { sql } from '#platform/database/database.ts';
import type { TestApp, TestReply } from '#test/harness.ts';
import type { TestMember, TestOrgUser } from '#test/users.ts';
import { createJob, fillMeans, tierMeans } from './matching.ts';
import { payByHash } from './payments.ts';

/** Everything that can be read. */
export const allTypes: readonly DataType[] = ['archetype', 'trait_profile', 'values_profile', 'alignment'];

/** Records a decision of the member on a type of consent. */
export async function decideConsent(
  app: TestApp,
  { token }: { readonly token: string },
  consent_type: string,
  granted: boolean,
): Promise<TestReply> {
  return app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type, granted, version: '1.0' },
  });
}

/** Approves or disapproves a category. */
export async function approveCategory(
  app: TestApp,
  { token }: { readonly token: string },
  category: DataType,
  approved = true,
): Promise<void> {
  const { status } = await app.request('PUT', '/orgs/queries/consent/category', {
    token,
    body: { category, approved },
  });
  if (status !== 200) throw new Error(`approving ${category} returned ${status}`);
}

/** Registers a member at level 4 who has a match with every job that asks for persistence, and sells these categories. */
export async function registerReadable(
  app: TestApp,
  categories: readonly DataType[] = allTypes,
): Promise<TestMember> {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.exceptional) });
  await decideConsent(app, member, 'identity_queries', true);
  for (const category of categories) await approveCategory(app, member, category);
  return member;
}

/** Creates a job that matches all readable members. Call it after they are registered. @returns the aliases of its matches, by member. */
export async function findAliases(
  app: TestApp,
  org: TestOrgUser,
  members: readonly TestMember[],
): Promise<readonly string[]> {
  await app.drainQueue();
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/matches?limit=100`, {
    token: org.token,
  });
  const aliases = new Map<string, string>(
    await Promise.all(
      (body.data as { id: string; member_id: string }[]).map(async (match) => {
        const { member_id } = await app.sql.one(
          sql<{ member_id: string }>`select member_id from matches where id = ${match.id}`,
        );
        return [member_id, match.member_id] as const;
      }),
    ),
  );
  return members.map(({ member_id }) => {
    const alias = aliases.get(member_id);
    if (alias === undefined) throw new Error('a member of the test does not match the job');
    return alias;
  });
}

/** Encodes a payment of the mock rail as a header. */
export function encodePayment(tx_hash: string, timestamp = 1_772_442_000): Readonly<Record<string, string>> {
  const text = JSON.stringify({ tx_hash, timestamp });
  return { 'payment-signature': Buffer.from(text).toString('base64') };
}

/** Reads a member: for a mock payment with this id, or without a payment. */
export function sendRead(
  app: TestApp,
  { token }: { readonly token: string },
  member_id: string,
  { data_type = 'trait_profile', payment }: { readonly data_type?: DataType; readonly payment?: string } = {},
): Promise<TestReply> {
  const headers = payment === undefined ? {} : encodePayment(payment);
  return app.request('POST', '/orgs/queries/credential', { token, body: { member_id, data_type }, headers });
}

/** The id of a payment that nobody has made yet. */
export function createPayment(): string {
  return `tx-${randomUUID()}`;
}

/** A read of the mock rail that was paid for, and never made. */
type Unread = {
  readonly org: Pick<TestOrgUser, 'org_id' | 'user_id'>;
  readonly member_id: string;
  /** What the organisation calls the member. */
  readonly known_as: string;
  readonly payment: string;
  readonly price: bigint;
};

/** Settles a payment for a trait profile without its read, as a process leaves it that is killed between both. */
export async function settleWithoutRead(
  app: TestApp,
  { org: { org_id, user_id }, member_id, known_as, payment, price }: Unread,
): Promise<void> {
  await payByHash(app, payment, { org_id, user_id, member_id, known_as, data_type: 'trait_profile', price });
}

/**
 * Has every payment stored before its read, as on the rails where money moves elsewhere first: the database lets no payment into a transaction that has
 * changed something else before.
 */
export async function payBeforeReads(app: TestApp): Promise<void> {
  await app.sql.run(sql`
    create or replace function refuse_late_key() returns trigger language plpgsql as $$
    begin
      return case when pg_current_xact_id_if_assigned() is null then new end;
    end $$`);
  await app.sql.run(sql`
    create or replace trigger late before insert on payment_keys for each row execute function refuse_late_key()`);
}

/**
 * Has every payment stored before its read, and a statement run as soon as it is: what happens while money moves elsewhere.
 *
 * @param statement Without parameters.
 */
export async function changeWhenPaid(app: TestApp, statement: string): Promise<void> {
  await payBeforeReads(app);
  await app.sql.transaction(({ client }) =>
    client.query(`
      create or replace function change_when_paid() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
      create or replace trigger paid after insert on payments for each row execute function change_when_paid()`),
  );
}

/** Lets no read be recorded, or none of a member, as if each process were killed before, until {@link acceptReads}. */
export async function refuseReads(app: TestApp, member_id?: string): Promise<void> {
  await app.sql.run(sql`
    create or replace function refuse_read() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`);
  const when = member_id === undefined ? '' : `when (new.member_id = '${member_id}')`;
  await app.sql.transaction(({ client }) =>
    client.query(
      `create trigger killed before insert on reads for each row ${when} execute function refuse_read()`,
    ),
  );
}

/** Ends {@link refuseReads}. */
export async function acceptReads(app: TestApp): Promise<void> {
  await app.sql.run(sql`drop trigger killed on reads`);
}

/** Uses up the free allowance of the organisation. */
export async function spendAllowance(app: TestApp, { org_id }: { readonly org_id: string }): Promise<void> {
  await app.sql.run(sql`
    insert into read_allowances (org_id, read_count) values (${org_id}, 50) on conflict (org_id) do update set read_count = 50`);
}

/** Sets how many reads of today the organisation has used. */
export async function useQuota(
  app: TestApp,
  { org_id }: { readonly org_id: string },
  read_count: number,
): Promise<void> {
  const day = app.clock.now().toISOString().slice(0, 10);
  await app.sql.run(sql`
    insert into read_counts (org_id, day, read_count) values (${org_id}, ${day}, ${read_count})
    on conflict (org_id, day) do update set read_count = ${read_count}`);
}

/** What the service has recorded of all reads. */
export async function readBooks(app: TestApp) {
  return app.sql.one(sql<{
    reads: number;
    claims: number;
    recorded: number;
    refused: number;
    journals: number;
    refunds: number;
    unbalanced: number;
    income: number;
  }>`
    select (select count(*) from reads) as reads, (select count(*) from payments) as claims,
      (select count(*) from payments where state = 'recorded') as recorded,
      (select count(*) from payments where state = 'refused') as refused,
      (select count(*) from ledger_journals where kind = 'read') as journals,
      (select count(*) from ledger_journals where kind = 'refund') as refunds,
      (select count(*) from (select from ledger_postings group by holder_id, journal_id having sum(amount) <> 0) as wrong) as unbalanced,
      (select coalesce(-sum(amount), 0)::bigint from ledger_postings where account = 'member_income') as income`);
}
