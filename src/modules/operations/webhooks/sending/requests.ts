import { instanceMemory } from '#platform/instance-memory.ts';
import type { Memory } from '#platform/platform.ts';
import type { TaskContext } from '#platform/queue/task.ts';
import { computeFreeRequests, wait_ms_max, type Attempt } from '../rules.ts';
import { attemptDelivery, type Target } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './store.ts';

/** A claimed delivery, and where it is sent. */
export type ClaimedWithTarget = ClaimedDelivery & { readonly target: Target };

export type Finished = { readonly delivery: ClaimedDelivery; readonly attempt: Attempt };

/** The requests of one run: some are in progress, further deliveries wait for their place, and finished ones wait to be recorded. */
export type Requests = {
  /** Sends deliveries, as many at a time as the endpoint may get. The others wait. */
  send(claimed: readonly ClaimedWithTarget[], failure_count: number): void;
  /** Takes the finished ones, in the order in which they ended. */
  takeFinished(): readonly Finished[];
  /** Lets none of those that wait now be sent. */
  expire(): void;
  /** Takes those that wait if they may not be sent any more: they have waited too long, or an attempt has failed. */
  takeExpired(): readonly ClaimedDelivery[];
  /** Takes all that wait. */
  takeWaiting(): readonly ClaimedDelivery[];
  /** Lists the ids of those that are being sent. */
  listSending(): readonly string[];
  countWaiting(): number;
  /** Whether nothing is in progress, waits, or must be recorded. */
  isEmpty(): boolean;
  /** Says that more deliveries may be due. */
  wake(): void;
  /** Returns whether `wake` was called since the last time. */
  consumeWakeUp(): boolean;
  /** Resolves when finished ones should be recorded and others claimed, or when it is woken and there is a place for another one. */
  waitForTurn(): Promise<void>;
};

export const getRequests = instanceMemory(() => new Map<string, Requests>());

/** Stops what this process would still send as a subscription was before a change. Other processes stop within two seconds. */
export function recallDeliveries(context: { readonly memory: Memory }, subscription_id: string): void {
  getRequests(context).get(subscription_id)?.expire();
}

/** Creates the requests of a run to one endpoint. */
export function createRequests(context: TaskContext): Requests {
  let places = 0;
  // Not by their ids: a delivery that is replayed while it is being sent is there twice.
  const sending = new Set<ClaimedWithTarget>();
  let isFailing = false;
  let isWoken = false;
  let change = Promise.withResolvers<void>();
  const finished: Finished[] = [];
  const waiting: (ClaimedWithTarget & { send_before: number })[] = [];

  const maySend = () =>
    !isFailing && !context.signal.aborted && performance.now() < (waiting[0]?.send_before ?? 0);
  const hasPlace = () => sending.size < places;
  const sendNext = () => {
    while (hasPlace() && maySend()) void sendOne(waiting.shift()!);
  };
  const sendOne = async (delivery: ClaimedWithTarget) => {
    sending.add(delivery);
    const attempt = await attemptDelivery(context, delivery.target, delivery);
    sending.delete(delivery);
    finished.push({ delivery, attempt });
    isFailing ||= attempt.error !== null;
    sendNext();
    change.resolve();
  };
  const takeWaiting = () => waiting.splice(0);
  // As long as enough deliveries wait, recording and claiming can wait as well, and one transaction does more of it.
  const isTurn = () =>
    finished.length > 0
      ? hasPlace() || waiting.length < places
      : isWoken && hasPlace() && waiting.length === 0;

  return {
    send: (claimed, failure_count) => {
      const send_before = performance.now() + wait_ms_max;
      places = computeFreeRequests(failure_count, 0);
      isFailing = false;
      waiting.push(...claimed.map((delivery) => ({ ...delivery, send_before })));
      sendNext();
    },
    expire: () => {
      for (const delivery of waiting) delivery.send_before = 0;
    },
    takeFinished: () => finished.splice(0),
    takeExpired: () => (maySend() ? [] : takeWaiting()),
    takeWaiting,
    listSending: () => [...sending].map(({ id }) => id),
    countWaiting: () => waiting.length,
    isEmpty: () => sending.size + waiting.length + finished.length === 0,
    wake: () => {
      isWoken = true;
      change.resolve();
    },
    consumeWakeUp: () => {
      const wasWoken = isWoken;
      isWoken = false;
      return wasWoken;
    },
    waitForTurn: async () => {
      while (!isTurn()) {
        change = Promise.withResolvers();
        await change.promise;
      }
    },
  };
}
