import type { Reader } from '#platform/database/database.ts';
import { toSettledPayment, type SettledPayment } from './settled-payment.ts';
import type { PaidRead, Payment } from './rules.ts';
import { listSettledPayments } from './store.ts';

/** A settled payment without a read. The member is null if they were erased meanwhile. */
export type UnrecordedPayment = SettledPayment<
  Omit<PaidRead, 'member_id'> & { readonly member_id: string | null }
> & { readonly settled_at: Date };

/**
 * Lists the payments that were settled before a time and have no read yet, the oldest first, at most `limit`.
 *
 * @param page `after` is the last one of the page before.
 */
export async function listUnrecorded(
  db: Reader,
  page: {
    readonly before: Date;
    readonly after: Pick<UnrecordedPayment, 'settled_at' | 'payment_id'> | undefined;
    readonly limit: number;
  },
): Promise<UnrecordedPayment[]> {
  const { before, after, limit } = page;
  const place = after && { settled_at: after.settled_at, id: after.payment_id };
  return (await listSettledPayments(db, { before, after: place, limit })).map(toUnrecordedPayment);
}

function toUnrecordedPayment(payment: Payment): UnrecordedPayment {
  const { org_id, user_id, member_id, known_as, data_type, shown_member_id, proposal_id } = payment;
  const price = BigInt(payment.price_micros);
  const read = { org_id, user_id, member_id, known_as, data_type, price, shown_member_id, proposal_id };
  // The database requires the time of a settled payment.
  return { ...toSettledPayment(payment, read), settled_at: payment.settled_at! };
}
