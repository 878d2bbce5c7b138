import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import { closedObject, field, nullable, uuid } from '#platform/schema.ts';
import {
  countStreamFailures,
  decideNextStep,
  decideResumption,
  judgeStatus,
  type Attempt,
} from '../rules.ts';
import { recordAttempts, updateHealth } from '../sending/store.ts';
import { wakeStream } from '../stream-waits.ts';
import { listReported, lockStream, type Stream } from './store.ts';

const outcomeInput = closedObject({
  delivery_id: field(uuid, 'The delivery.', '4d8a1f6e-2b3c-4d5e-8f90-a1b2c3d4e5f6'),
  attempt: field(
    Type.Integer({ minimum: 0, maximum: 10_000 }),
    'The number of attempts that it was fetched with.',
    0,
  ),
  response_status: field(
    nullable(Type.Integer({ minimum: 100, maximum: 599 })),
    'The HTTP status of the reply; null if there was none.',
    200,
  ),
  response_excerpt: Type.Optional(
    field(Type.String({ maxLength: 1_024 }), 'The beginning of the reply, for the list of deliveries.', 'ok'),
  ),
  timed_out: Type.Optional(field(Type.Boolean(), 'Whether the reply did not arrive in time.', false)),
  duration_ms: field(Type.Integer({ minimum: 0, maximum: 600_000 }), 'How long the attempt took.', 12),
});

type Outcome = {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly response_excerpt?: string;
  readonly timed_out?: boolean;
  readonly duration_ms: number;
};

export const reportDeliveries = operation({
  name: 'webhooks.reportDeliveries',
  title: 'Report outcomes of a stream',
  summary:
    'Reports what became of deliveries that were fetched from a stream. One that failed comes again after 1, 5 and 15 minutes, 1 and 2 hours. Reporting an attempt twice changes nothing more.',
  who: ['org_admin'],
  input: Type.Object({
    subscription_id: uuid,
    outcomes: Type.Array(outcomeInput, { minItems: 1, maxItems: 20, description: 'The outcomes.' }),
  }),
  output: { 204: null },
  refuses: ['webhook_not_found'],
  run: (context, { subscription_id: id, outcomes }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const stream = requireFound(await lockStream(tx, { org_id, id }), 'webhook_not_found');
      await record(context, tx, stream, outcomes);
      return null;
    }),
});

async function record(
  context: Pick<Services, 'config' | 'memory' | 'now'>,
  tx: Transaction,
  { org_id, id, failure_count, is_active }: Stream,
  outcomes: readonly Outcome[],
): Promise<void> {
  const now = context.now();
  const ids = outcomes.map(({ delivery_id }) => delivery_id);
  const known = new Map(
    (await listReported(tx, { org_id, subscription_id: id }, ids)).map((each) => [each.id, each]),
  );
  // An attempt that was recorded before, is there twice, or belongs to nothing, counts for nothing.
  const settled = outcomes.flatMap((outcome) => {
    const delivery = known.get(outcome.delivery_id);
    if (delivery?.attempt !== outcome.attempt) return [];
    known.delete(outcome.delivery_id);
    const attempt = toAttempt(outcome, now);
    const schedule_s = context.config.webhook_retry_seconds;
    const next = decideNextStep(attempt, { retries: delivery.retries, schedule_s, is_active, now });
    return [{ delivery, attempt, next }];
  });
  recordAttempts(tx, org_id, settled);
  const attempts = settled.map(({ attempt }) => attempt);
  const failures = countStreamFailures(failure_count, attempts);
  if (failures === failure_count) return;
  const resumes_at = decideResumption(failures, now);
  updateHealth(tx, { org_id, id }, { failure_count: failures, is_active, resumes_at });
  tx.afterCommit(() => wakeStream(context, id));
}

function toAttempt(outcome: Outcome, now: Date): Attempt {
  const { response_status, response_excerpt, timed_out = false, duration_ms } = outcome;
  const error = response_status === null ? ('unreachable' as const) : judgeStatus(response_status);
  return {
    attempted_at: new Date(now.getTime() - duration_ms),
    duration_ms,
    response_status,
    response_excerpt: response_excerpt ?? null,
    error: timed_out ? 'timeout' : error,
    retry_after_s: null,
  };
}
