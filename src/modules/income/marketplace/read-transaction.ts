import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { field, uuid } from '#platform/schema.ts';
import { sampleIds } from '#platform/schema-samples.ts';
import { findTransaction } from './store.ts';
import { toTransactionWire, transactionWire } from './wire.ts';

export const readTransaction = operation({
  name: 'marketplace.readTransaction',
  title: 'Read a transaction',
  summary: 'Reads a purchase. For anyone except its member and its organisation, it does not exist.',
  who: ['member', ...orgRoles],
  input: Type.Object({ transaction_id: field(uuid, 'The id of the transaction.', sampleIds.entry) }),
  output: { 200: transactionWire },
  refuses: ['transaction_not_found'],
  run: async ({ database, caller }, { transaction_id }) => {
    const transaction = await findTransaction(database, transaction_id);
    if (transaction && caller.role === 'member' && transaction.member_id === caller.member_id)
      return toTransactionWire(transaction, 'member');
    if (transaction && caller.role !== 'member' && transaction.org_id === caller.org_id)
      return toTransactionWire(transaction, 'organisation');
    throw new Refusal('transaction_not_found');
  },
});
