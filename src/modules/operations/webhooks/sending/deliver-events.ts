import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '#lib/refusal.ts';
import { listAdministrators } from '#modules/access/accounts';
import { recordAudit } from '#modules/operations/audit';
import { isSuspendedOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import {
  computeClaimSize,
  computeReplyTime,
  countAttempts,
  decideNextStep,
  decideResumption,
  isStream,
  type Health,
} from '../rules.ts';
import { readSigningKeys } from '../secrets.ts';
import { wakeStream } from '../stream-waits.ts';
import type { Target } from './attempt-delivery.ts';
import { claimPermitted } from './claim-permitted.ts';
import {
  createRequests,
  getRequests,
  type ClaimedWithTarget,
  type Finished,
  type Requests,
} from './requests.ts';
import { sendDeactivation } from './send-deactivation.ts';
import {
  failPendingDeliveries,
  findNextDueTime,
  lockEndpoint,
  recordAttempts,
  releaseDeliveries,
  updateHealth,
  type ClaimedDelivery,
  type Endpoint,
} from './store.ts';

type Data = {
  readonly org_id: string;
  readonly subscription_id: string;
  /** The time for which this run was queued, in ISO 8601. What is due then is sent, whatever this node's clock says. */
  readonly due_at?: string;
};

/** After this time, a run lets a new one continue, so that organisations take turns even if an endpoint never runs out of events. */
const slice_ms = 10_000;
const ended_max = 5_000;
/** The pauses before the attempts to record outcomes again. Without them, requests that were accepted would be sent a second time. */
const record_pauses_ms = [100, 500, 2_000];

/**
 * Sends the deliveries of one subscription that are due, several at a time, until none is. A process has one run for a subscription, and
 * another task of it only wakes the run. Runs mostly wait for the endpoint, so very many are in progress at the same time, and a slow or
 * dead endpoint delays no other.
 */
export const deliverEvents = task<Data>({
  name: 'webhooks.deliverEvents',
  retry_seconds: [10, 60, 300],
  parallel: 1_000,
  claimed_alone: true,
  group_by: ({ org_id }) => org_id,
  merge_by: ({ subscription_id }) => subscription_id,
  run: async (context, data) => {
    const inProgress = getRequests(context).get(data.subscription_id);
    // What was committed before is found by the run in progress, which looks once more.
    if (inProgress) return inProgress.wake();
    await sendDue(context, data);
    context.signal.throwIfAborted();
  },
});

async function sendDue(context: TaskContext, data: Data): Promise<void> {
  const ends_at = performance.now() + slice_ms;
  const requests = createRequests(context);
  const ofProcess = getRequests(context).set(data.subscription_id, requests);
  try {
    do {
      // Before the claim, which sees everything that was committed until now.
      requests.consumeWakeUp();
      const isOver = context.signal.aborted || performance.now() > ends_at;
      const turn = await recordAndClaim(context, data, takeProgress(requests, isOver));
      if (turn) requests.send(turn.claimed, turn.failure_count);
      else requests.takeWaiting();
      if (requests.listSending().length > 0) await requests.waitForTurn();
    } while (!requests.isEmpty() || requests.consumeWakeUp());
  } finally {
    // Together with the last look, without waiting for anything: what comes now would wake a run that no longer looks.
    ofProcess.delete(data.subscription_id);
  }
}

/** What happened since the last turn, and what is still to do. */
type Progress = {
  readonly finished: readonly Finished[];
  /** Claimed deliveries that are not sent: another turn or another run claims them again. */
  readonly unsent: readonly ClaimedDelivery[];
  /** The ids of those that are being sent. */
  readonly sending: readonly string[];
  readonly waiting: number;
  readonly isOver: boolean;
};

function takeProgress(requests: Requests, isOver: boolean): Progress {
  const finished = requests.takeFinished();
  const unsent = isOver ? requests.takeWaiting() : requests.takeExpired();
  return { finished, unsent, sending: requests.listSending(), waiting: requests.countWaiting(), isOver };
}

/** What the endpoint gets next. */
type Turn = { readonly claimed: readonly ClaimedWithTarget[]; readonly failure_count: number };

/** Records and claims, and again after a pause if the database is overloaded or unavailable. */
async function recordAndClaim(
  context: TaskContext,
  data: Data,
  progress: Progress,
): Promise<Turn | undefined> {
  for (const pause_ms of record_pauses_ms)
    try {
      return await settleAndClaim(context, data, progress);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await pause(pause_ms);
    }
  return settleAndClaim(context, data, progress);
}

/**
 * Records finished attempts and claims the next deliveries, in one transaction. If nothing is left to do now, it queues the next run.
 *
 * If the organisation is suspended, nothing more is claimed, and the deliveries wait.
 *
 * @returns undefined if the subscription is inactive or was deleted.
 */
function settleAndClaim(context: TaskContext, data: Data, progress: Progress): Promise<Turn | undefined> {
  const { finished, unsent, sending, waiting, isOver } = progress;
  const in_progress = sending.length;
  return context.database.transaction(async (tx) => {
    const [endpoint, isHeld] = await Promise.all([
      lockEndpoint(tx, { org_id: data.org_id, id: data.subscription_id }),
      isSuspendedOrganisation(tx, data.org_id),
    ]);
    if (!endpoint) return undefined;
    if (isStream(endpoint) && endpoint.is_active) {
      // A program fetches these.
      tx.afterCommit(() => wakeStream(context, data.subscription_id));
      return undefined;
    }
    const { resumes_at, ...health } = settleAttempts(context, tx, data, { endpoint, finished });
    if (!health.is_active) {
      if (health.reason) await reportDeactivation(context, tx, data, health.reason);
      // What is being sent ends with its own result.
      while ((await failPendingDeliveries(tx, data, { except: sending, limit: ended_max })) === ended_max);
      return undefined;
    }
    const { failure_count } = health;
    releaseDeliveries(tx, data.org_id, unsent, context.now());
    const attempts = finished.map(({ attempt }) => attempt);
    const succeeded = attempts.filter(({ error }) => error === null).length;
    const reply_ms = computeReplyTime(attempts);
    const isResting = resumes_at !== null && resumes_at > findHorizon(data, context.now());
    const limit =
      isOver || isHeld || isResting
        ? 0
        : computeClaimSize(failure_count, { in_progress, waiting, succeeded, reply_ms });
    const deliveries =
      limit === 0
        ? []
        : await claimPermitted(tx, data, {
            due: findHorizon(data, context.now()),
            now: context.now(),
            limit,
          });
    // `webhooks.resumeDeliveries` continues after the suspension.
    if (deliveries.length + in_progress + waiting === 0 && !isHeld)
      await queueNextRun(context, tx, data, resumes_at, isOver);
    if (deliveries.length === 0) return { claimed: [], failure_count };
    const target = readTarget(context, data, endpoint);
    return { claimed: deliveries.map((delivery) => ({ ...delivery, target })), failure_count };
  });
}

function settleAttempts(
  { config, now }: TaskContext,
  tx: Transaction,
  { org_id, subscription_id }: Data,
  { endpoint, finished }: { readonly endpoint: Endpoint; readonly finished: readonly Finished[] },
): Health & Pick<Endpoint, 'resumes_at'> {
  const health = countAttempts(
    endpoint,
    finished.map(({ attempt }) => attempt),
  );
  const settled = finished.map(({ delivery, attempt }) => ({
    delivery,
    attempt,
    next: decideNextStep(attempt, {
      retries: delivery.retries,
      schedule_s: config.webhook_retry_seconds,
      is_active: health.is_active,
      now: now(),
    }),
  }));
  recordAttempts(tx, org_id, settled);
  if (health.failure_count === endpoint.failure_count && health.is_active === endpoint.is_active)
    return { ...health, resumes_at: endpoint.resumes_at };
  const changed = { ...health, resumes_at: decideResumption(health.failure_count, now()) };
  updateHealth(tx, { org_id, id: subscription_id }, changed);
  return changed;
}

function findHorizon({ due_at }: Data, now: Date): Date {
  return due_at !== undefined && new Date(due_at) > now ? new Date(due_at) : now;
}

/** Queues a run for the time at which the next delivery is due and the endpoint may get it. */
async function queueNextRun(
  { queue, now }: TaskContext,
  tx: Transaction,
  data: Data,
  resumes_at: Date | null,
  isOver: boolean,
): Promise<void> {
  const { org_id, subscription_id } = data;
  const next_due = await findNextDueTime(tx, data);
  if (!next_due) return;
  const due = resumes_at !== null && resumes_at > next_due ? resumes_at : next_due;
  if (isOver && due <= findHorizon(data, now()))
    return queue.send(tx, deliverEvents, { org_id, subscription_id });
  const next = { org_id, subscription_id, due_at: due.toISOString() };
  // A run that is queued for an earlier time locks the subscription after this transaction, and so sees what it has written.
  await queue.send(tx, deliverEvents, next, { start_after: due, unless_sooner: true });
}

function readTarget({ secrets, now }: TaskContext, { subscription_id }: Data, endpoint: Endpoint): Target {
  return { subscription_id, url: endpoint.url, keys: readSigningKeys(secrets, endpoint, now()) };
}

async function reportDeactivation(
  { queue, now }: TaskContext,
  tx: Transaction,
  { org_id, subscription_id }: Data,
  reason: NonNullable<Health['reason']>,
): Promise<void> {
  for (const user_id of await listAdministrators(tx, org_id))
    await queue.send(tx, sendDeactivation, { org_id, subscription_id, user_id, reason });
  await recordAudit(tx, {
    now: now(),
    actor: null,
    action: 'webhooks.deactivated',
    org_id,
    detail: { subscription_id, reason },
  });
}
