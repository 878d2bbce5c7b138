import { hasConsent } from '#modules/consent';
import { recordAudit } from '#modules/audit';
import type { Transaction } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { computeFreeRequests, countAttempts, decideNextStep, type Attempt, type Health } from '../rules.ts';
import { unsealSecret } from '../subscriptions/secrets.ts';
import { attemptDelivery, type Target } from './attempt-delivery.ts';
import { sendDeactivation } from './send-deactivation.ts';
import {
  claimDeliveries,
  failDeliveries,
  failPendingDeliveries,
  findNextDueTime,
  listAdmins,
  lockEndpoint,
  recordAttempts,
  updateHealth,
  updateWakeTime,
  type ClaimedDelivery,
  type Endpoint,
} from './store.ts';

type Data = {
  readonly org_id: string;
  readonly subscription_id: string;
  /** The time for which this run was queued, in ISO 8601. What is due then is sent, whatever this node's clock says. */
  readonly due_at?: string;
};

/** A claim ends after the longest attempt, and some time to record it. */
const claim_ms = 40_000;
/** After this time, a run lets a new one continue, so that organisations take turns even if an endpoint never runs out of events. */
const slice_ms = 10_000;
const ended_max = 5_000;

/**
 * Sends the deliveries of one subscription that are due, several at a time, until none is. A process has one run for a subscription. Runs
 * mostly wait for the endpoint, so very many are in progress at the same time, and a slow or dead endpoint delays no other.
 */
export const deliverEvents = task<Data>({
  name: 'webhooks.deliverEvents',
  retry_seconds: [10, 60, 300],
  parallel: 1_000,
  claimed_alone: true,
  group_by: ({ org_id }) => org_id,
  merge_by: ({ subscription_id }) => subscription_id,
  run: async (context, data) => {
    const runs = getRuns(context);
    const running = runs.get(data.subscription_id);
    // What was committed before is found by the run in progress, which looks once more.
    if (running) return running.wake();
    const run = createRun();
    runs.set(data.subscription_id, run);
    try {
      await deliverDue(context, data, run);
    } finally {
      runs.delete(data.subscription_id);
    }
  },
});

/** A run in progress. */
type Run = {
  /** Lets the run look for due deliveries again. */
  wake(): void;
  /** Returns whether the run was woken since the last call. */
  takeWake(): boolean;
  /** Resolves when the run is woken, at once if it was since the last `takeWake`. */
  waitForWake(): Promise<void>;
};

function createRun(): Run {
  let woken = Promise.withResolvers<void>();
  let isWoken = false;
  return {
    wake: () => {
      isWoken = true;
      woken.resolve();
    },
    takeWake: () => {
      const wasWoken = isWoken;
      if (wasWoken) woken = Promise.withResolvers<void>();
      isWoken = false;
      return wasWoken;
    },
    waitForWake: () => woken.promise,
  };
}

/** The runs of this process by subscription. */
const getRuns = instanceMemory(() => new Map<string, Run>());

type Finished = { readonly delivery: ClaimedDelivery; readonly attempt: Attempt };

async function deliverDue(context: TaskContext, data: Data, run: Run): Promise<void> {
  const inProgress = new Set<Promise<unknown>>();
  const ends_at = performance.now() + slice_ms;
  let finished: Finished[] = [];
  for (;;) {
    // Before the claim, which sees everything that was committed until now.
    run.takeWake();
    const [settling, isOver] = [finished, context.signal.aborted || performance.now() > ends_at];
    finished = [];
    const claimed = await settleAndClaim(context, data, settling, { in_progress: inProgress.size, isOver });
    for (const delivery of claimed) {
      const sending: Promise<unknown> = attemptDelivery(context, delivery.target, delivery).then(
        (attempt) => {
          finished.push({ delivery, attempt });
          return inProgress.delete(sending);
        },
      );
      inProgress.add(sending);
    }
    // What ended during the transaction is recorded before anything is waited for, or its place would stay empty.
    if (finished.length > 0) continue;
    if (inProgress.size > 0) await Promise.race([...inProgress, run.waitForWake()]);
    else if (isOver || !run.takeWake()) break;
  }
  context.signal.throwIfAborted();
}

type ClaimedWithTarget = ClaimedDelivery & { readonly target: Target };

type Progress = { readonly in_progress: number; readonly isOver: boolean };

/** Records finished attempts and claims the next deliveries, in one transaction. If nothing is left to do now, it queues the next run. */
function settleAndClaim(
  context: TaskContext,
  data: Data,
  finished: readonly Finished[],
  { in_progress, isOver }: Progress,
): Promise<readonly ClaimedWithTarget[]> {
  return context.database.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { org_id: data.org_id, id: data.subscription_id });
    if (!endpoint) return [];
    const health = settleAttempts(context, tx, data, { endpoint, finished });
    if (!health.is_active) {
      if (health.reason) await reportDeactivation(context, tx, data, health.reason);
      while ((await failPendingDeliveries(tx, data, ended_max)) === ended_max);
      return [];
    }
    const limit = isOver ? 0 : computeFreeRequests(health.failure_count, in_progress);
    const deliveries = limit === 0 ? [] : await claimPermitted(context, tx, data, limit);
    if (deliveries.length === 0 && in_progress === 0) await queueNextRun(context, tx, data, endpoint, isOver);
    if (deliveries.length === 0) return [];
    const target = readTarget(context, endpoint);
    return deliveries.map((delivery) => ({ ...delivery, target }));
  });
}

function settleAttempts(
  { config, now }: TaskContext,
  tx: Transaction,
  { org_id, subscription_id }: Data,
  { endpoint, finished }: { readonly endpoint: Endpoint; readonly finished: readonly Finished[] },
): Health {
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
  if (health.failure_count !== endpoint.failure_count || health.is_active !== endpoint.is_active)
    updateHealth(tx, { org_id, id: subscription_id }, health);
  return health;
}

/** Claims deliveries, and ends those about credentials whose member no longer shares them. */
async function claimPermitted(
  { now }: TaskContext,
  tx: Transaction,
  data: Data,
  limit: number,
): Promise<readonly ClaimedDelivery[]> {
  const claimed = await claimDeliveries(tx, data, {
    due: findHorizon(data, now()),
    until: new Date(now().getTime() + claim_ms),
    limit,
  });
  const withdrawn: string[] = [];
  for (const { id, event_type, member_id } of claimed)
    if (member_id !== null && event_type.startsWith('attestation.'))
      if (!(await hasConsent(tx, member_id, 'credential_sharing'))) withdrawn.push(id);
  if (withdrawn.length === 0) return claimed;
  await failDeliveries(tx, data.org_id, withdrawn, 'consent_withdrawn');
  return claimed.filter(({ id }) => !withdrawn.includes(id));
}

function findHorizon({ due_at }: Data, now: Date): Date {
  return due_at !== undefined && new Date(due_at) > now ? new Date(due_at) : now;
}

/** Queues a run for the time of the next delivery, unless one is queued for that time or before. */
async function queueNextRun(
  { queue, now }: TaskContext,
  tx: Transaction,
  data: Data,
  { wake_at }: Endpoint,
  isOver: boolean,
): Promise<void> {
  const { org_id, subscription_id } = data;
  const due = await findNextDueTime(tx, data);
  if (!due) return;
  const horizon = findHorizon(data, now());
  if (isOver && due <= horizon) return queue.send(tx, deliverEvents, { org_id, subscription_id });
  if (wake_at && wake_at > horizon && wake_at <= due) return;
  updateWakeTime(tx, { org_id, id: subscription_id }, due);
  const next = { org_id, subscription_id, due_at: due.toISOString() };
  await queue.send(tx, deliverEvents, next, { start_after: due });
}

function readTarget({ secrets, now }: TaskContext, endpoint: Endpoint): Target {
  const { url, secret_sealed, previous_secret_sealed, previous_secret_expires_at } = endpoint;
  const isOverlapping = previous_secret_expires_at !== null && previous_secret_expires_at > now();
  return {
    url,
    secrets: {
      secret: unsealSecret(secrets, secret_sealed),
      previous_secret:
        isOverlapping && previous_secret_sealed ? unsealSecret(secrets, previous_secret_sealed) : undefined,
    },
  };
}

async function reportDeactivation(
  { queue, now }: TaskContext,
  tx: Transaction,
  { org_id, subscription_id }: Data,
  reason: NonNullable<Health['reason']>,
): Promise<void> {
  for (const user_id of await listAdmins(tx, org_id))
    await queue.send(tx, sendDeactivation, { org_id, subscription_id, user_id, reason });
  await recordAudit(tx, {
    now: now(),
    actor: null,
    action: 'webhooks.deactivated',
    org_id,
    detail: { subscription_id, reason },
  });
}
