import { Refusal } from '#lib/refusal.ts';
import { listUnrecorded, type UnrecordedPayment } from '#modules/income/payments';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { makeRead } from './making/make-read.ts';
import { isRefundable, refundPayment } from './making/pay-for-read.ts';
import { listInAud } from './marketplace/list-in-aud.ts';
import { isDataType } from './rules.ts';

/** A request that still runs records its payment itself. */
const patience_seconds = 120;

const batch_payments = 200;
const batches_max = 100;

/**
 * Finishes reads whose process ended after the payment was settled and before the read was recorded: it records the read, so that the same
 * payment sent again gets its result, or refunds the payment if the member can no longer be read. One that fails delays no other: the next run tries it again.
 */
export const finishReads = task({
  name: 'reads.finishReads',
  // The next run replaces a retry.
  retry_seconds: [],
  every: '* * * * *',
  run: async (context) => {
    const before = new Date(context.now().getTime() - patience_seconds * 1000);
    const failures: unknown[] = [];
    let last: UnrecordedPayment | undefined;
    for (let batch = 0; batch < batches_max; batch++) {
      const payments = await listUnrecorded(context.database, { before, after: last, limit: batch_payments });
      for (const payment of payments) {
        context.signal.throwIfAborted();
        await finishPayment(context, payment).catch((error: unknown) => failures.push(error));
      }
      last = payments.at(-1);
      if (payments.length < batch_payments) break;
    }
    if (failures.length > 0) throw new AggregateError(failures, 'payments could not be finished');
  },
});

async function finishPayment(context: TaskContext, payment: UnrecordedPayment): Promise<void> {
  try {
    await recordOrRefund(context, payment);
  } catch (error) {
    // Its request, or this task in another process, has recorded or refunded it meanwhile.
    if (!(error instanceof Refusal && error.code === 'payment_unresolved')) throw error;
  }
}

async function recordOrRefund(context: TaskContext, payment: UnrecordedPayment): Promise<void> {
  const { shown_member_id, proposal_id, ...read } = payment.read;
  const { org_id, user_id, member_id, data_type } = read;
  // The member was erased.
  if (member_id === null || !isDataType(data_type))
    return refundPayment(context, payment, 'member_not_found');
  const wanted = {
    org_id,
    user_id,
    member_id,
    known_as: read.known_as ?? member_id,
    data_type,
    ...(proposal_id && { proposal_id }),
  };
  try {
    await context.database.transaction(async (tx) => {
      await makeRead(context, tx, wanted, { ...payment, read: { ...read, member_id } });
      if (shown_member_id) await listInAud(context, tx, wanted, { shown_member_id }, payment);
    });
  } catch (error) {
    if (!isRefundable(error)) throw error;
    await refundPayment(context, payment, error.code);
  }
}
