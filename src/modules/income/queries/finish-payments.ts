import { Refusal } from '#lib/refusal.ts';
import { listUnrecorded, type UnrecordedPayment } from '#modules/income/payments';
import type { Transaction } from '#platform/database/database.ts';
import { task, type TaskContext } from '#platform/queue/task.ts';
import { purchaseFinished } from './events.ts';
import { isRefundable, refundPayment } from './query-member.ts';
import { recordQuery } from './record-query.ts';
import { isDataType } from './rules.ts';
import type { ReadOrder } from './store.ts';

/** A request that still runs records its payment itself. */
const patience_seconds = 120;

const batch_payments = 200;
const batches_max = 100;

/**
 * Finishes reads whose process ended after the payment was settled and before the read was recorded: it records the read, so that the same
 * payment sent again gets its result, or refunds the payment if the member can no longer be read. One that fails delays no other: the next run tries it again.
 */
export const finishPayments = task({
  name: 'queries.finishPayments',
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
  const order = buildOrder(payment);
  if (!order) return refundPayment(context, payment, 'member_not_found');
  try {
    await context.database.transaction(async (tx) => {
      const purchase = { ...payment.purchase, memberId: order.member_id };
      await recordQuery(context, tx, order, { ...payment, purchase });
      await reportPurchase(context, tx, order, payment);
    });
  } catch (error) {
    if (!isRefundable(error)) throw error;
    await refundPayment(context, payment, error.code);
  }
}

/** Lets the marketplace list a purchase whose process could not. */
async function reportPurchase(
  { queue }: TaskContext,
  tx: Transaction,
  { org_id, member_id, data_type }: ReadOrder,
  { claimId, protocolVersion, amount, purchase }: UnrecordedPayment,
): Promise<void> {
  const { marketplaceMemberId } = purchase;
  if (!marketplaceMemberId) return;
  await queue.emit(tx, purchaseFinished, {
    claim_id: claimId,
    member_id,
    shown_member_id: marketplaceMemberId,
    org_id,
    data_type,
    protocol_version: protocolVersion,
    amount_micros: Number(amount),
  });
}

/** Undefined if the member was erased. */
function buildOrder({ purchase }: UnrecordedPayment): ReadOrder | undefined {
  const { orgId, userId, memberId, dataType } = purchase;
  if (memberId === null || !isDataType(dataType)) return undefined;
  return { org_id: orgId, user_id: userId, member_id: memberId, data_type: dataType };
}
