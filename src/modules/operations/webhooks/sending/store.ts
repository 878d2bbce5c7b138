import { randomUUID } from 'node:crypto';
import { sql, type Executor, type Reader, type Transaction } from '#platform/database/database.ts';
import { deliveryColumns, type HistoryKey } from '../store-deliveries.ts';
import type { Subscription } from '../resource.ts';
import type { Delivery, DeliveryError, Health, NextStep, Attempt } from '../rules.ts';
import type { SealedSecrets, SubscriptionKey } from '../store-subscriptions.ts';

export type Subscriber = Pick<Subscription, 'id' | 'is_active' | 'events'>;

/** Lists the subscriptions of an organisation to any of the events, and keeps them from being deleted until the transaction ends. */
export function lockSubscribers(
  tx: Transaction,
  org_id: string,
  types: readonly string[],
): Promise<Subscriber[]> {
  return tx.list(sql<Subscriber>`
    select id, is_active, events from webhook_subscriptions
    where org_id = ${org_id} and events && ${types}::text[] order by id for key share`);
}

export type NewDelivery = Pick<
  Delivery,
  'org_id' | 'subscription_id' | 'event_id' | 'event_type' | 'body'
> & {
  readonly member_id: string | null;
  readonly is_active: boolean;
};

/**
 * Adds a delivery for each subscription that has none of its event yet: due now, or failed if the subscription is inactive, so that it can be
 * recovered.
 *
 * @returns the subscriptions of those that are due.
 */
export async function addDeliveries(
  tx: Transaction,
  added: readonly NewDelivery[],
  now: Date,
): Promise<readonly string[]> {
  const rows = await tx.list(sql<Pick<Delivery, 'subscription_id' | 'status'>>`
    ${buildInsert(added, now)} returning subscription_id, status`);
  return rows.filter(({ status }) => status === 'pending').map(({ subscription_id }) => subscription_id);
}

export function insertDelivery(
  tx: Transaction,
  added: NewDelivery,
  now: Date,
): Promise<Delivery | undefined> {
  return tx.find(sql<Delivery>`${buildInsert([added], now)} returning ${deliveryColumns}`);
}

function buildInsert(added: readonly NewDelivery[], now: Date) {
  const read = <Key extends keyof NewDelivery>(key: Key) => added.map((delivery) => delivery[key]);
  return sql`
    insert into webhook_deliveries
      (org_id, id, subscription_id, event_id, event_type, member_id, body, status, error, next_attempt_at, created_at)
    select org_id, id, subscription_id, event_id, event_type, member_id, body,
      case when is_active then 'pending' else 'failed' end, case when is_active then null else 'subscription_inactive' end,
      case when is_active then ${now}::timestamptz end, ${now}
    from unnest(${read('org_id')}::uuid[], ${added.map(() => randomUUID())}::uuid[], ${read('subscription_id')}::uuid[],
      ${read('event_id')}::uuid[], ${read('event_type')}::text[], ${read('member_id')}::uuid[], ${read('body')}::text[],
      ${read('is_active')}::boolean[]
    ) as new (org_id, id, subscription_id, event_id, event_type, member_id, body, is_active)
    on conflict (org_id, subscription_id, event_id) do nothing`;
}

/** A subscription as a run of its deliveries needs it. */
export type Endpoint = Pick<
  Subscription,
  'url' | 'is_active' | 'failure_count' | 'previous_secret_expires_at'
> &
  SealedSecrets & {
    /** When it may get a request again after failures; null: at once. */
    readonly resumes_at: Date | null;
  };

/** Locks a subscription for a run of its deliveries; undefined if it was deleted. */
export function lockEndpoint(
  tx: Transaction,
  { org_id, id }: SubscriptionKey,
): Promise<Endpoint | undefined> {
  return tx.find(sql<Endpoint>`
    select url, is_active, failure_count, secret_sealed, previous_secret_sealed, previous_secret_expires_at, resumes_at
    from webhook_subscriptions where org_id = ${org_id} and id = ${id} for no key update`);
}

/** Stores how an endpoint is, and when it may get a request again. */
export function updateHealth(
  tx: Transaction,
  { org_id, id }: SubscriptionKey,
  {
    failure_count,
    is_active,
    resumes_at,
  }: Pick<Health, 'failure_count' | 'is_active'> & Pick<Endpoint, 'resumes_at'>,
): void {
  void tx.runAhead(sql`
    update webhook_subscriptions set failure_count = ${failure_count}, is_active = ${is_active}, resumes_at = ${resumes_at}
    where org_id = ${org_id} and id = ${id}`);
}

export type ClaimedDelivery = Pick<Delivery, 'id' | 'event_type' | 'body' | 'attempt'> & {
  readonly retries: number;
  readonly member_id: string | null;
};

/** Claims deliveries of a subscription that are due at a time, the earliest first: they are due again at `until`. */
export function claimDeliveries(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  { due, until, limit }: { readonly due: Date; readonly until: Date; readonly limit: number },
): Promise<ClaimedDelivery[]> {
  return tx.list(sql<ClaimedDelivery>`
    update webhook_deliveries set next_attempt_at = ${until}
    where org_id = ${org_id} and id = any(array(
      select id from webhook_deliveries
      where org_id = ${org_id} and subscription_id = ${subscription_id} and status = 'pending' and next_attempt_at <= ${due}
      order by next_attempt_at limit ${limit} for no key update skip locked))
    returning id, event_type, body, attempt, retries, member_id`);
}

/** Makes claimed deliveries that were not sent due now. */
export function releaseDeliveries(
  tx: Transaction,
  org_id: string,
  unsent: readonly Pick<ClaimedDelivery, 'id'>[],
  now: Date,
): void {
  if (unsent.length === 0) return;
  void tx.runAhead(sql`
    update webhook_deliveries set next_attempt_at = ${now}
    where org_id = ${org_id} and id = any(${unsent.map(({ id }) => id)}::uuid[]) and status = 'pending'`);
}

export type SettledDelivery = {
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'attempt'>;
  readonly attempt: Attempt;
  readonly next: NextStep;
};

/**
 * Records attempts of claimed deliveries of one organisation. One whose claim was lost meanwhile, and which another run has recorded, stays as it is.
 * One that another process has ended because of a pause while it was being sent gets its true result, and one that was sent twice at the same time
 * is delivered if either was accepted.
 */
export function recordAttempts(tx: Transaction, org_id: string, settled: readonly SettledDelivery[]): void {
  if (settled.length === 0) return;
  const readAttempts = <Key extends keyof Attempt>(key: Key) => settled.map(({ attempt }) => attempt[key]);
  const past = settled.map(({ attempt: { attempted_at, response_status, duration_ms, error } }) =>
    JSON.stringify([{ attempted_at, response_status, duration_ms, error }]),
  );
  void tx.runAhead(sql`
    update webhook_deliveries set status = new.status, attempt = webhook_deliveries.attempt + 1,
      retries = retries + (new.status = 'pending')::integer, next_attempt_at = new.next_attempt_at,
      response_status = new.response_status, response_excerpt = new.response_excerpt, duration_ms = new.duration_ms, error = new.error,
      attempts = case when jsonb_array_length(attempts) >= 10 then attempts - 0 else attempts end || new.past
    from unnest(${settled.map(({ delivery }) => delivery.id)}::uuid[], ${settled.map(({ delivery }) => delivery.attempt)}::integer[],
      ${settled.map(({ next }) => next.status)}::text[], ${settled.map(({ next }) => next.next_attempt_at)}::timestamptz[],
      ${readAttempts('response_status')}::integer[], ${readAttempts('response_excerpt')}::text[],
      ${readAttempts('duration_ms')}::integer[], ${readAttempts('error')}::text[], ${past}::jsonb[]
    ) as new (id, known_attempt, status, next_attempt_at, response_status, response_excerpt, duration_ms, error, past)
    where org_id = ${org_id} and webhook_deliveries.id = new.id
      and (webhook_deliveries.attempt = new.known_attempt or new.status = 'delivered')
      and (webhook_deliveries.status = 'pending'
        or webhook_deliveries.status = 'failed' and webhook_deliveries.error = 'subscription_inactive')`);
}

/** Ends pending deliveries without an attempt. @returns how many. */
export function failDeliveries(
  tx: Transaction,
  org_id: string,
  ids: readonly string[],
  error: DeliveryError,
): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries set status = 'failed', error = ${error}, next_attempt_at = null
    where org_id = ${org_id} and id = any(${ids}::uuid[]) and status = 'pending'`);
}

/** Ends at most `limit` pending deliveries of an inactive subscription, except some. @returns how many. */
export function failPendingDeliveries(
  tx: Transaction,
  { org_id, subscription_id }: HistoryKey,
  { except, limit }: { readonly except: readonly string[]; readonly limit: number },
): Promise<number> {
  return tx.run(sql`
    update webhook_deliveries set status = 'failed', error = 'subscription_inactive', next_attempt_at = null
    where org_id = ${org_id} and id in (
      select id from webhook_deliveries where org_id = ${org_id} and subscription_id = ${subscription_id} and status = 'pending'
        and id <> all(${except}::uuid[])
      limit ${limit})`);
}

/** Finds when the next delivery of a subscription is due; undefined if none is pending. */
export async function findNextDueTime(
  db: Reader,
  { org_id, subscription_id }: HistoryKey,
): Promise<Date | undefined> {
  const next = await db.find(sql<{ next_attempt_at: Date }>`
    select next_attempt_at from webhook_deliveries
    where org_id = ${org_id} and subscription_id = ${subscription_id} and status = 'pending' and next_attempt_at is not null
    order by next_attempt_at limit 1`);
  return next?.next_attempt_at;
}

/**
 * Lists subscriptions with deliveries that were due before a time, those that have waited longest first, at most `limit`, without those of suspended
 * organisations, and without streams, whose deliveries are fetched. It reads all that are due, so that an endpoint with a long queue hides no other one.
 */
export function listOverdue(db: Reader, before: Date, limit: number): Promise<HistoryKey[]> {
  return db.list(sql<HistoryKey>`
    select org_id, subscription_id from webhook_deliveries
    where status = 'pending' and next_attempt_at < ${before} and org_id not in (select id from suspended_organisations)
      and not exists (select from webhook_subscriptions as streams
        where streams.org_id = webhook_deliveries.org_id and streams.id = webhook_deliveries.subscription_id and streams.opened_at is not null)
    group by org_id, subscription_id order by min(next_attempt_at) limit ${limit}`);
}

/** Deletes at most `limit` deliveries from before a time. @returns how many. */
export function deleteOldDeliveries(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from webhook_deliveries using (
      select org_id, id from webhook_deliveries where created_at < ${before} order by created_at limit ${limit}) as old
    where webhook_deliveries.org_id = old.org_id and webhook_deliveries.id = old.id`);
}

/** Deletes at most `limit` previous secrets whose overlap has ended. @returns how many. */
export function deleteExpiredSecrets(db: Executor, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    update webhook_subscriptions set previous_secret_sealed = null, previous_secret_expires_at = null
    from (select org_id, id from webhook_subscriptions where previous_secret_expires_at <= ${now} limit ${limit}) as ended
    where webhook_subscriptions.org_id = ended.org_id and webhook_subscriptions.id = ended.id
      and webhook_subscriptions.previous_secret_expires_at <= ${now}`);
}
