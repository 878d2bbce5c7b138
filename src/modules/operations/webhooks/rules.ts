import { createBodyRefusal, createFieldRefusal } from '#lib/refusal.ts';
import { subscriptionResource, type Subscription, type SubscriptionPatch } from './resource.ts';

/** The event of POST /webhooks/{subscription_id}/test. Nobody subscribes to it. */
export const test_event = 'webhook.test';

export const subscriptions_max = 20;
export const streams_max = 10;
const consecutive_failures_max = 10;
export const history_days = 30;
export const recovered_max = 10_000;

const stream_prefix = 'stream:';

/** Names a stream in the field in which other subscriptions have their address. */
export function buildStreamUrl(name: string): string {
  return `${stream_prefix}${name}`;
}

/** Whether a program fetches the events of a subscription, so that nothing is sent to an address. */
export function isStream({ url }: Pick<Subscription, 'url'>): boolean {
  return url.startsWith(stream_prefix);
}

/**
 * Applies a change to a subscription. Failures are counted from zero for a new URL and after a pause.
 *
 * @throws Refusal `field_invalid` for a change without fields, and for a URL of a stream.
 */
export function applyPatch(before: Subscription, patch: SubscriptionPatch): Subscription {
  const { changeableFields } = subscriptionResource;
  const given = changeableFields.filter((name) => patch[name] !== undefined);
  if (given.length === 0) {
    throw createBodyRefusal(`must have at least one of ${changeableFields.join(', ')}`);
  }
  if (isStream(before) && patch.url !== undefined)
    throw createFieldRefusal('field_invalid', '/url', 'cannot be changed: a program fetches these events');
  const after = { ...before, ...Object.fromEntries(given.map((name) => [name, patch[name]])) };
  const isNewStart = after.url !== before.url || (after.is_active && !before.is_active);
  return { ...after, failure_count: isNewStart ? 0 : before.failure_count };
}

const secret_prefix = 'whsec_';

/**
 * Checks a secret that a client chose: one in the form of Standard Webhooks must contain 24 to 64 bytes in base64.
 *
 * @throws Refusal `field_invalid`.
 */
export function checkSecret(secret: string | undefined): void {
  if (!secret?.startsWith(secret_prefix)) return;
  const encoded = secret.slice(secret_prefix.length);
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length < 24 || bytes.length > 64 || bytes.toString('base64') !== encoded)
    throw createFieldRefusal('field_invalid', '/secret', 'must have 24 to 64 bytes in base64 after whsec_');
}

/** Why an attempt failed, or why none was made. */
export const deliveryErrors = [
  'http_status',
  'redirect',
  'gone',
  'timeout',
  'unreachable',
  'unresolvable',
  'address_forbidden',
  'url_forbidden',
  'subscription_inactive',
  'consent_withdrawn',
] as const;

export type DeliveryError = (typeof deliveryErrors)[number];

export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The outcome of one attempt. It succeeded if it has no error. */
export type Attempt = {
  readonly attempted_at: Date;
  readonly response_status: number | null;
  readonly response_excerpt: string | null;
  readonly duration_ms: number;
  readonly error: DeliveryError | null;
  /** The receiver's Retry-After, bounded; null if it sent none. */
  readonly retry_after_s: number | null;
};

/** An event for one subscription. */
export type Delivery = {
  readonly id: string;
  readonly org_id: string;
  readonly subscription_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly response_excerpt: string | null;
  readonly duration_ms: number | null;
  readonly error: DeliveryError | null;
  readonly attempts: readonly PastAttempt[];
  readonly next_attempt_at: Date | null;
  readonly created_at: Date;
};

/** An attempt as its delivery remembers it, in JSON. */
export type PastAttempt = Pick<Attempt, 'response_status' | 'duration_ms' | 'error'> & {
  readonly attempted_at: string;
};

/** What becomes of a delivery after an attempt. */
export type NextStep =
  | { readonly status: 'delivered' | 'failed'; readonly next_attempt_at: null }
  | { readonly status: 'pending'; readonly next_attempt_at: Date };

/**
 * Decides what becomes of a delivery: the retries wait for the times of the schedule, or for longer if the receiver asked for it. The end of
 * the schedule, a 410 and the end of the subscription make it fail.
 *
 * @param context.retries How many retries of the schedule were planned before this attempt.
 * @param context.schedule_s The pauses before the retries.
 */
export function decideNextStep(
  attempt: Pick<Attempt, 'error' | 'retry_after_s'>,
  {
    retries,
    schedule_s,
    is_active,
    now,
  }: {
    readonly retries: number;
    readonly schedule_s: readonly number[];
    readonly is_active: boolean;
    readonly now: Date;
  },
): NextStep {
  if (attempt.error === null) return { status: 'delivered', next_attempt_at: null };
  const wait_s = schedule_s[retries];
  if (wait_s === undefined || attempt.error === 'gone' || !is_active)
    return { status: 'failed', next_attempt_at: null };
  const pause_ms = 1000 * Math.max(wait_s, attempt.retry_after_s ?? 0);
  return { status: 'pending', next_attempt_at: new Date(now.getTime() + pause_ms) };
}

/** Why a subscription became inactive. */
export type DeactivationReason = 'failures' | 'gone';

/** How an endpoint is after some attempts. */
export type Health = {
  readonly failure_count: number;
  readonly is_active: boolean;
  /** Set if these attempts deactivated it. */
  readonly reason: DeactivationReason | undefined;
};

/** Counts attempts in the order in which they ended: ten failures in a row, or a 410, make the subscription inactive. */
export function countAttempts(
  { failure_count, is_active }: Pick<Health, 'failure_count' | 'is_active'>,
  attempts: readonly Pick<Attempt, 'error'>[],
): Health {
  let count = failure_count;
  for (const { error } of attempts) {
    if (!is_active) break;
    count = error === null ? 0 : count + 1;
    if (error === 'gone') return { failure_count: count, is_active: false, reason: 'gone' };
    if (count >= consecutive_failures_max)
      return { failure_count: count, is_active: false, reason: 'failures' };
  }
  return { failure_count: count, is_active, reason: undefined };
}

/** Counts attempts of a stream, whose program runs where somebody develops: it rests after failures like an endpoint, and stays active. */
export function countStreamFailures(
  failure_count: number,
  attempts: readonly Pick<Attempt, 'error'>[],
): number {
  return attempts.reduce((count, { error }) => (error === null ? 0 : count + 1), failure_count);
}

/** Judges the status of a reply to a delivery: only 2xx is a success. */
export function judgeStatus(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}

/** An endpoint rests after this many failed attempts in a row: fewer are single faults, after which others may go on. */
const failures_before_rest = 3;
const [rest_ms_min, rest_ms_max] = [500, 5_000];

/**
 * Decides when the next request may be sent to an endpoint; null: at once. Without these rests, the ten failures that deactivate it would take milliseconds,
 * and a server that restarts during a burst would have to be enabled by hand. With them, they take some twenty seconds.
 */
export function decideResumption(failure_count: number, now: Date): Date | null {
  if (failure_count < failures_before_rest) return null;
  const rest_ms = Math.min(rest_ms_max, rest_ms_min * 2 ** (failure_count - failures_before_rest));
  return new Date(now.getTime() + rest_ms);
}

/** A receiver cannot ask for a longer pause than the schedule's own longest by default. */
const retry_after_max_s = 7_200;

/** Reads a Retry-After header: seconds, or a date (RFC 9110 section 10.2.3). Anything else counts as absent. */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  if (Number.isNaN(seconds)) return null;
  return Math.min(retry_after_max_s, Math.max(0, Math.ceil(seconds)));
}

/** At most this many requests to an endpoint are in progress in one process; a failing endpoint gets one at a time. */
const requests_max = 5;

/** Computes how many more requests may be sent to an endpoint now. */
export function computeFreeRequests(failure_count: number, in_progress: number): number {
  return Math.max(0, (failure_count > 0 ? 1 : requests_max) - in_progress);
}

/** Beyond the requests in progress, at most this many deliveries are claimed for an endpoint. */
const [waiting_min, waiting_max] = [20, 100];

/**
 * A claimed delivery waits for its place at most this long, so that what was read with the claim (URL, secret, consent, pause) is never older,
 * and the claim lasts longer than the attempt.
 */
export const wait_ms_max = 2_000;

/**
 * Computes how many more deliveries to claim: as many as can be sent now and, for an endpoint that works, twice as many as it has accepted since
 * the last claim, but not more than it will probably accept while they may wait. So a fast endpoint is sent many with each claim, and few are claimed
 * in vain for a slow one.
 *
 * @param context.reply_ms How long its replies have taken since the last claim; undefined if there were none.
 */
export function computeClaimSize(
  failure_count: number,
  {
    in_progress,
    waiting,
    succeeded,
    reply_ms,
  }: {
    readonly in_progress: number;
    readonly waiting: number;
    readonly succeeded: number;
    readonly reply_ms: number | undefined;
  },
): number {
  const places = computeFreeRequests(failure_count, 0);
  const accepted = Math.ceil((places * wait_ms_max) / Math.max(1, reply_ms ?? 0));
  const ahead =
    failure_count > 0 ? 0 : Math.min(waiting_max, waiting_min + 2 * succeeded, Math.max(places, accepted));
  return Math.max(0, places + ahead - in_progress - waiting);
}

/** Computes how long the replies of an endpoint take, by its attempts; undefined if there were none. */
export function computeReplyTime(attempts: readonly Pick<Attempt, 'duration_ms'>[]): number | undefined {
  if (attempts.length === 0) return undefined;
  return attempts.reduce((sum, { duration_ms }) => sum + duration_ms, 0) / attempts.length;
}
