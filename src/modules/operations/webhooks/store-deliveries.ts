import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import type { Delivery, DeliveryStatus } from './rules.ts';

export type HistoryKey = Pick<Delivery, 'org_id' | 'subscription_id'>;

/** The columns of a delivery as its type has them. */
export const deliveryColumns = sql`
  id, org_id, subscription_id, event_id, event_type, body, status, attempt, response_status, response_excerpt, duration_ms, error,
  attempts, next_attempt_at, created_at`;

export type DeliveryPlace = readonly [created_at: string, id: string];

/** Which deliveries of a subscription are listed; all without conditions. */
export type DeliveryFilter = {
  readonly status?: DeliveryStatus | undefined;
  readonly event_type?: string | undefined;
};

function buildConditions({ status, event_type }: DeliveryFilter) {
  return sql`${status === undefined ? emptySql : sql`and status = ${status}`} ${event_type === undefined ? emptySql : sql`and event_type = ${event_type}`}`;
}

export function findDelivery(
  db: Reader,
  { org_id, subscription_id }: HistoryKey,
  id: string,
): Promise<Delivery | undefined> {
  return db.find(sql<Delivery>`
    select ${deliveryColumns} from webhook_deliveries
    where org_id = ${org_id} and subscription_id = ${subscription_id} and id = ${id}`);
}

/** Lists deliveries of a subscription, newest first. */
export function listDeliveries(
  db: Reader,
  { org_id, subscription_id, ...filter }: HistoryKey & DeliveryFilter,
  after: DeliveryPlace | undefined,
  limit: number,
): Promise<Delivery[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Delivery>`
    select ${deliveryColumns} from webhook_deliveries where org_id = ${org_id} and subscription_id = ${subscription_id} ${buildConditions(filter)} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export function countDeliveries(
  db: Reader,
  { org_id, subscription_id, ...filter }: HistoryKey & DeliveryFilter,
): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from webhook_deliveries
    where org_id = ${org_id} and subscription_id = ${subscription_id} ${buildConditions(filter)}`);
}

/** Makes a delivery of the subscription due now, with all retries before it; undefined if it does not exist. */
export function replayStoredDelivery(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  id: string,
  now: Date,
): Promise<Delivery | undefined> {
  return tx.find(sql<Delivery>`
    update webhook_deliveries set status = 'pending', retries = 0, next_attempt_at = ${now}, error = null
    where org_id = ${org_id} and subscription_id = ${subscription_id} and id = ${id} returning ${deliveryColumns}`);
}

/** Makes failed deliveries since a time due now, the oldest first, with all retries before them. @returns how many. */
export function recoverFailedDeliveries(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  { since, now, limit }: { readonly since: Date; readonly now: Date; readonly limit: number },
): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries set status = 'pending', retries = 0, next_attempt_at = ${now}, error = null
    where org_id = ${org_id} and id in (
      select id from webhook_deliveries
      where org_id = ${org_id} and subscription_id = ${subscription_id} and status = 'failed' and created_at >= ${since}
      order by created_at, id limit ${limit})`);
}

/** Deletes at most `limit` deliveries of a subscription. @returns how many. */
export function deleteHistory(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  limit: number,
): Promise<number> {
  return tx.run(sql`
    delete from webhook_deliveries where org_id = ${org_id} and id in (
      select id from webhook_deliveries where org_id = ${org_id} and subscription_id = ${subscription_id} limit ${limit})`);
}
