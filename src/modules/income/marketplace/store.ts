import {
  emptySql,
  sql,
  type Executor,
  type Reader,
  type Statement,
  type Transaction,
} from '#platform/database/database.ts';
import type { MarketplaceTransaction, Totals } from './rules.ts';

const columns = sql`
  id, member_id, shown_member_id, org_id, claim_id, data_type, status, protocol_version, price_usd_micros, member_usd_micros,
  price_aud_micros, aud_per_usd_micros, rate_at, created_at`;

/** Whether the payment of a transaction was taken back. After the erasure of its member, nobody can tell. */
const isReversed = sql`
  exists (select from reversed_claims where reversed_claims.member_id = bought.member_id and reversed_claims.claim_id = bought.claim_id)`;

/** Transactions as they are now. */
const transactions = sql`
  select id, member_id, shown_member_id, org_id, claim_id, data_type, case when ${isReversed} then 'reversed' else status end as status,
    protocol_version, price_usd_micros, member_usd_micros, price_aud_micros, aud_per_usd_micros, rate_at, created_at
  from marketplace_transactions as bought`;

/** Adds a transaction, unless its payment has one already. @returns the stored one. */
export async function insertTransaction(
  tx: Transaction,
  each: MarketplaceTransaction,
): Promise<MarketplaceTransaction> {
  await tx.run(sql`
    insert into marketplace_transactions (${columns})
    values (${each.id}, ${each.member_id}, ${each.shown_member_id}, ${each.org_id}, ${each.claim_id}, ${each.data_type}, ${each.status},
      ${each.protocol_version}, ${each.price_usd_micros}, ${each.member_usd_micros}, ${each.price_aud_micros}, ${each.aud_per_usd_micros},
      ${each.rate_at}, ${each.created_at})
    on conflict (claim_id) do nothing`);
  return tx.one(sql<MarketplaceTransaction>`
    ${transactions} where claim_id = ${each.claim_id}`);
}

/** Finds a transaction by its id. */
export function findTransaction(db: Reader, id: string): Promise<MarketplaceTransaction | undefined> {
  return db.find(sql<MarketplaceTransaction>`${transactions} where id = ${id}`);
}

/** The party whose transactions are listed. */
export type Party = { readonly member_id: string } | { readonly org_id: string };

/** The position of a transaction in a list. */
export type TransactionPlace = readonly [created_at: string, id: string];

/** Lists the transactions of a party, newest first. */
export function listTransactions(
  db: Reader,
  party: Party,
  after: TransactionPlace | undefined,
  limit: number,
): Promise<MarketplaceTransaction[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<MarketplaceTransaction>`
    ${transactions} where ${buildCondition(party)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

/** Counts the transactions of a party, and adds up those that were not taken back. */
export async function sumTransactions(db: Reader, party: Party): Promise<Totals> {
  const row = await db.one(sql<{ count: number; price_aud: number; price_usd: number; member_usd: number }>`
    select count(*) as count, coalesce(sum(price_aud_micros) filter (where not ${isReversed}), 0)::bigint as price_aud,
      coalesce(sum(price_usd_micros) filter (where not ${isReversed}), 0)::bigint as price_usd,
      coalesce(sum(member_usd_micros) filter (where not ${isReversed}), 0)::bigint as member_usd
    from marketplace_transactions as bought where ${buildCondition(party)}`);
  return {
    count: row.count,
    price_aud: BigInt(row.price_aud),
    price_usd: BigInt(row.price_usd),
    member_usd: BigInt(row.member_usd),
  };
}

function buildCondition(party: Party): Statement {
  return 'member_id' in party ? sql`member_id = ${party.member_id}` : sql`org_id = ${party.org_id}`;
}

type Rows = Readonly<Record<string, unknown>>[];

/** Lists the transactions about a member for the member's own copy. */
export function listMemberRows(db: Reader, member_id: string): Promise<Rows> {
  return db.list(sql<Rows[number]>`
    select id, org_id, data_type, status, protocol_version, price_usd_micros, member_usd_micros, price_aud_micros, aud_per_usd_micros, rate_at,
      created_at
    from marketplace_transactions where member_id = ${member_id} order by created_at, id`);
}

/** Removes the person from the transactions: the organisation keeps what it paid. */
export async function severTransactions(db: Executor, member_id: string): Promise<void> {
  await db.run(sql`
    update marketplace_transactions set member_id = null, shown_member_id = gen_random_uuid() where member_id = ${member_id}`);
}
