import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findMarketplaceRead } from '#modules/income/books';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { findProposal } from '../store-proposals.ts';
import { getSide } from './read-listed.ts';
import { marketplaceReadWire, toMarketplaceReadWire, toProposalWire } from './wire.ts';

export const readMarketplaceRead = operation({
  name: 'reads.readMarketplaceRead',
  title: 'Read a transaction',
  summary: 'Reads a transaction. For anyone except its member and its organisation, it does not exist.',
  who: ['member', ...orgRoles],
  input: Type.Object({ transaction_id: field(uuid, 'The id of the transaction.', sampleIds.entry) }),
  output: { 200: marketplaceReadWire },
  refuses: ['transaction_not_found'],
  run: async ({ database, caller, now }, { transaction_id }) => {
    const side = getSide(caller);
    const read = await findMarketplaceRead(database, side, transaction_id);
    if (!read) {
      const proposal = await findProposal(database, side, transaction_id, now());
      if (!proposal) throw new Refusal('transaction_not_found');
      return toProposalWire(proposal, side);
    }
    return toMarketplaceReadWire(read, side);
  },
});
