import type { Reader } from '#platform/database/database.ts';
import { toSettledPayment, type SettledPayment } from '../settled-payment.ts';
import type { Claim, Purchase } from '../rules.ts';
import { listUnrecordedClaims } from './store.ts';

/** A settled payment without a read. The member is null if they were erased meanwhile. */
export type UnrecordedPayment = Omit<SettledPayment, 'purchase'> & {
  readonly purchase: Omit<Purchase, 'memberId'> & { readonly memberId: string | null };
  readonly settledAt: Date;
};

/**
 * Lists the payments that were settled before a time and have no read yet, the oldest first, at most `limit`.
 *
 * @param page `after` is the last one of the page before.
 */
export async function listUnrecorded(
  db: Reader,
  page: {
    readonly before: Date;
    readonly after: Pick<UnrecordedPayment, 'settledAt' | 'claimId'> | undefined;
    readonly limit: number;
  },
): Promise<UnrecordedPayment[]> {
  const { before, after, limit } = page;
  const place = after && { settled_at: after.settledAt, id: after.claimId };
  return (await listUnrecordedClaims(db, { before, after: place, limit })).map(toUnrecordedPayment);
}

function toUnrecordedPayment(claim: Claim): UnrecordedPayment {
  const { org_id, user_id, member_id, tool, data_type, marketplace_member_id, price_micro, settled_at } =
    claim;
  const purchase = {
    orgId: org_id,
    userId: user_id,
    memberId: member_id ?? '',
    tool,
    dataType: data_type,
    price: BigInt(price_micro),
    marketplaceMemberId: marketplace_member_id,
  };
  // The database requires the time of a settled claim.
  return {
    ...toSettledPayment(claim, purchase),
    purchase: { ...purchase, memberId: member_id },
    settledAt: settled_at!,
  };
}
