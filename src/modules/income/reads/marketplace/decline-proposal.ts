import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { findMarketplaceRead } from '#modules/income/books';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { endProposal, findProposal } from '../store-proposals.ts';
import { getSide } from './read-listed.ts';
import { marketplaceReadWire, toProposalWire } from './wire.ts';

export const declineProposal = operation({
  name: 'reads.declineProposal',
  title: 'Decline a pending transaction',
  summary:
    'Ends a transaction that is pending: the organisation declines it, or the member who recorded it takes it back. No money moves. Repeated by the same side, it returns the same.',
  who: ['member', 'org_admin'],
  input: Type.Object({ transaction_id: field(uuid, 'The id of the transaction.', sampleIds.entry) }),
  output: { 200: marketplaceReadWire },
  refuses: ['transaction_not_found', 'transaction_ended'],
  idempotent: true,
  run: async (context, { transaction_id }) => {
    const { caller, now: readClock } = context;
    const [side, now] = [getSide(caller), readClock()];
    const status = caller.role === 'member' ? 'withdrawn' : 'declined';
    return context.transaction(async (tx) => {
      const found = await findProposal(tx, side, transaction_id, now);
      // One that was paid is a read.
      if (!found)
        throw new Refusal(
          (await findMarketplaceRead(tx, side, transaction_id))
            ? 'transaction_ended'
            : 'transaction_not_found',
        );
      if (await endProposal(tx, found, status, now)) {
        const detail = { data_type: found.data_type };
        await recordCallerAudit(context, tx, { action: 'queries.declined', ...side, detail });
        return toProposalWire({ ...found, status }, side);
      }
      const ended = await findProposal(tx, side, transaction_id, now);
      if (ended?.status !== status) throw new Refusal('transaction_ended');
      return toProposalWire(ended, side);
    });
  },
});
