import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import { subscriptionResource, type Subscription } from '../resource.ts';
import type { Delivery } from '../rules.ts';
import type { HistoryKey } from '../store-deliveries.ts';
import type { SealedSecrets, SubscriptionKey } from '../store-subscriptions.ts';

/** A stream: a subscription whose events a program fetches. */
export type Stream = Subscription &
  SealedSecrets & {
    readonly resumes_at: Date | null;
    /** When a program last used it, to the minute, in the time of the world: a test clock that is advanced leaves it in use. Null only of subscriptions with an address. */
    readonly opened_at: Date | null;
  };

const columns = sql`${subscriptionResource.columns}, secret_sealed, previous_secret_sealed, resumes_at, opened_at`;

/** Adds an active stream. */
export function insertStream(
  tx: Transaction,
  stream: Pick<Stream, 'org_id' | 'id' | 'url' | 'events' | 'secret_sealed'> & {
    readonly created_at: Date;
    readonly opened_at: Date;
  },
): Promise<Stream> {
  const { org_id, id, url, events, secret_sealed, created_at, opened_at } = stream;
  return tx.one(sql<Stream>`
    insert into webhook_subscriptions (org_id, id, url, events, secret_sealed, created_at, opened_at)
    values (${org_id}, ${id}, ${url}, ${events}, ${secret_sealed}, ${created_at}, ${opened_at}) returning ${columns}`);
}

/** Opens a stream that exists: it becomes active, without a rest. @returns undefined if there is none of this name. */
export function reopenStream(
  tx: Transaction,
  stream: Pick<Stream, 'org_id' | 'url' | 'events'> & {
    readonly opened_at: Date;
    /** Null keeps the secret that it has. */
    readonly secret_sealed: Buffer | null;
  },
): Promise<Stream | undefined> {
  const { org_id, url, events, secret_sealed, opened_at } = stream;
  return tx.find(sql<Stream>`
    update webhook_subscriptions set events = ${events}, is_active = true, failure_count = 0, resumes_at = null, opened_at = ${opened_at},
      secret_sealed = coalesce(${secret_sealed}, secret_sealed)
    where org_id = ${org_id} and url = ${url} and opened_at is not null returning ${columns}`);
}

/** Locks a stream for what is fetched from it or reported about it; undefined if it does not exist. */
export function lockStream(tx: Transaction, { org_id, id }: SubscriptionKey): Promise<Stream | undefined> {
  return tx.find(sql<Stream>`
    select ${columns} from webhook_subscriptions
    where org_id = ${org_id} and id = ${id} and opened_at is not null for no key update`);
}

/** Records that a program uses a stream. */
export function recordUse(tx: Transaction, { org_id, id }: SubscriptionKey, now: Date): void {
  void tx.runAhead(sql`
    update webhook_subscriptions set opened_at = ${now} where org_id = ${org_id} and id = ${id}`);
}

export function countStreams(db: Reader, org_id: string): Promise<number> {
  return db.count(sql<{ count: number }>`
    select count(*) from webhook_subscriptions where org_id = ${org_id} and opened_at is not null`);
}

/** Whether a program that waits should ask again: something is due, or the stream has changed so that it will not be. */
export async function hasNews(db: Reader, { org_id, id }: SubscriptionKey, now: Date): Promise<boolean> {
  const stream = await db.find(sql<{ has_news: boolean }>`
    select not is_active or (resumes_at is null or resumes_at <= ${now}) and exists (
      select from webhook_deliveries
      where webhook_deliveries.org_id = ${org_id} and subscription_id = ${id} and status = 'pending' and next_attempt_at <= ${now}) as has_news
    from webhook_subscriptions where org_id = ${org_id} and id = ${id} and opened_at is not null`);
  return stream?.has_news ?? true;
}

/** Reads how far deliveries are whose outcomes are reported. Those that were erased, or belong to another subscription, are not among them. */
export function listReported(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  ids: readonly string[],
): Promise<(Pick<Delivery, 'id' | 'attempt'> & { readonly retries: number })[]> {
  return tx.list(sql<Pick<Delivery, 'id' | 'attempt'> & { readonly retries: number }>`
    select id, attempt, retries from webhook_deliveries
    where org_id = ${org_id} and id = any(${ids}::uuid[]) and subscription_id = ${subscription_id} order by id for no key update`);
}

/** Deletes at most `limit` streams that nobody has used since a time. @returns them; what they have left is deleted apart from them. */
export async function deleteAbandonedStreams(
  tx: Transaction,
  before: Date,
  limit: number,
): Promise<SubscriptionKey[]> {
  const old = await listAbandonedStreams(tx, before, limit);
  if (old.length === 0) return [];
  return tx.list(sql<SubscriptionKey>`
    delete from webhook_subscriptions
    using unnest(${old.map(({ org_id }) => org_id)}::uuid[], ${old.map(({ id }) => id)}::uuid[]) as old (org_id, id)
    where webhook_subscriptions.org_id = old.org_id and webhook_subscriptions.id = old.id and opened_at < ${before}
    returning webhook_subscriptions.org_id, webhook_subscriptions.id`);
}

function listAbandonedStreams(db: Reader, before: Date, limit: number): Promise<SubscriptionKey[]> {
  return db.list(sql<SubscriptionKey>`
    select org_id, id from webhook_subscriptions where opened_at < ${before} order by opened_at limit ${limit}`);
}

/** Pauses the streams in which more than `pending_max` deliveries wait. @returns them. */
export function pauseFullStreams(db: Executor, pending_max: number): Promise<SubscriptionKey[]> {
  return db.list(sql<SubscriptionKey>`
    update webhook_subscriptions set is_active = false
    where opened_at is not null and is_active and (
      select count(*) from webhook_deliveries
      where webhook_deliveries.org_id = webhook_subscriptions.org_id and subscription_id = webhook_subscriptions.id and status = 'pending'
    ) > ${pending_max}
    returning org_id, id`);
}
