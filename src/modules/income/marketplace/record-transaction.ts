import { randomUUID } from 'node:crypto';
import { lockMemberShared } from '#modules/people/members';
import { share_bps } from '#modules/income/queries';
import { task } from '#platform/queue/task.ts';
import { completePurchase, type CompletedPurchase } from './rules.ts';
import { insertTransaction } from './store.ts';

type Data = {
  readonly claim_id: string;
  readonly member_id: string;
  readonly shown_member_id: string;
  readonly org_id: string;
  readonly data_type: string;
  readonly protocol_version: CompletedPurchase['protocol_version'];
  readonly amount_micros: number;
};

/**
 * Records the transaction of a purchase whose process ended between the payment and the read. The same request sent again may have recorded it
 * meanwhile, and then this changes nothing.
 */
export const recordTransaction = task<Data>({
  name: 'marketplace.recordTransaction',
  retry_seconds: [10, 60, 300],
  group_by: ({ org_id }) => org_id,
  run: ({ database, now, config }, { member_id, shown_member_id, amount_micros, ...purchase }) =>
    database.transaction(async (tx) => {
      // An erasure waits for this lock, and severs the transaction after it. One that came first leaves no member to name.
      const member = await lockMemberShared(tx, member_id);
      const parties = member
        ? { member_id, shown_member_id }
        : { member_id: null, shown_member_id: randomUUID() };
      const completed = {
        ...purchase,
        ...parties,
        id: randomUUID(),
        amount: BigInt(amount_micros),
        at: now(),
      };
      const terms = { aud_per_usd: config.aud_per_usd_micros, share_bps };
      await insertTransaction(tx, completePurchase(completed, terms));
    }),
});
