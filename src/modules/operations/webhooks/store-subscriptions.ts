import { emptySql, sql, type Reader, type Transaction } from '#platform/database/database.ts';
import { subscriptionResource, type Subscription } from './resource.ts';

export type SubscriptionKey = Pick<Subscription, 'org_id' | 'id'>;

/** The encrypted secrets of a subscription. */
export type SealedSecrets = {
  readonly secret_sealed: Buffer;
  readonly previous_secret_sealed: Buffer | null;
};

const { columns } = subscriptionResource;

/** Adds an active subscription. */
export function insertSubscription(
  tx: Transaction,
  subscription: SubscriptionKey &
    Pick<Subscription, 'url' | 'events' | 'created_at'> &
    Pick<SealedSecrets, 'secret_sealed'>,
): Promise<Subscription> {
  const { org_id, id, url, events, secret_sealed, created_at } = subscription;
  return tx.one(sql<Subscription>`
    insert into webhook_subscriptions (org_id, id, url, events, secret_sealed, created_at)
    values (${org_id}, ${id}, ${url}, ${events}, ${secret_sealed}, ${created_at}) returning ${columns}`);
}

export function findSubscription(
  db: Reader,
  { org_id, id }: SubscriptionKey,
): Promise<Subscription | undefined> {
  return db.find(
    sql<Subscription>`select ${columns} from webhook_subscriptions where org_id = ${org_id} and id = ${id}`,
  );
}

/** Locks a subscription of the organisation against changes, and against runs of its deliveries that would record theirs. */
export function lockSubscription(
  tx: Transaction,
  { org_id, id }: SubscriptionKey,
): Promise<Subscription | undefined> {
  return tx.find(sql<Subscription>`
    select ${columns} from webhook_subscriptions where org_id = ${org_id} and id = ${id} for no key update`);
}

export type SubscriptionPlace = readonly [created_at: string, id: string];

/** Lists subscriptions of the organisation, newest first. */
export function listSubscriptions(
  db: Reader,
  org_id: string,
  after: SubscriptionPlace | undefined,
  limit: number,
): Promise<Subscription[]> {
  const from = after ? sql`and (created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : emptySql;
  return db.list(sql<Subscription>`
    select ${columns} from webhook_subscriptions where org_id = ${org_id} ${from}
    order by created_at desc, id desc limit ${limit}`);
}

export function countSubscriptions(db: Reader, org_id: string): Promise<number> {
  return db.count(
    sql<{ count: number }>`select count(*) from webhook_subscriptions where org_id = ${org_id}`,
  );
}

/** Stores what a PATCH changes. @returns the subscription as stored. */
export function updateSubscription(tx: Transaction, subscription: Subscription): Promise<Subscription> {
  const { org_id, id, failure_count } = subscription;
  return tx.one(sql<Subscription>`
    update webhook_subscriptions set ${subscriptionResource.update(subscription)},
      resumes_at = case when ${failure_count}::integer > 0 then resumes_at end
    where org_id = ${org_id} and id = ${id} returning ${columns}`);
}

/** Lets a failing endpoint get its next request at once. */
export function endRest(tx: Transaction, { org_id, id }: SubscriptionKey): void {
  void tx.runAhead(sql`
    update webhook_subscriptions set resumes_at = null
    where org_id = ${org_id} and id = ${id} and resumes_at is not null`);
}

/** Gives a subscription a new secret, and keeps the one before until a time; not at all if the time is null. */
export function replaceSecret(
  tx: Transaction,
  { org_id, id }: SubscriptionKey,
  secret_sealed: Buffer,
  previous_expires_at: Date | null,
): Promise<Subscription> {
  return tx.one(sql<Subscription>`
    update webhook_subscriptions set secret_sealed = ${secret_sealed}, previous_secret_expires_at = ${previous_expires_at},
      previous_secret_sealed = case when ${previous_expires_at}::timestamptz is null then null else secret_sealed end
    where org_id = ${org_id} and id = ${id} returning ${columns}`);
}

/** Deletes a subscription. Its deliveries are deleted apart from it, because there can be many. */
export async function deleteSubscription(tx: Transaction, { org_id, id }: SubscriptionKey): Promise<void> {
  await tx.run(sql`delete from webhook_subscriptions where org_id = ${org_id} and id = ${id}`);
}
