import type { PayoutRail } from './payout-rail.ts';

/** For development: every payout arrives at once, and nothing leaves. */
export const mockRail: PayoutRail = {
  prepareTransfer: async (_tx, { id }) => ({ transaction_hash: `mock:${id}`, signed_transaction: '' }),
  sendTransfer: async () => undefined,
  readOutcome: async ({ transaction_hash }) => ({ state: 'paid', transaction_hash }),
  replaceTransfer: async (transfer) => transfer,
};
