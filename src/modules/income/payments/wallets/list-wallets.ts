import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { listOwnWallets } from './store.ts';
import { toWalletWire, walletListWire } from './wire.ts';

export const listWallets = operation({
  name: 'payments.listWallets',
  title: 'List wallets',
  summary: 'Lists the wallets from which the caller’s organisation pays.',
  who: ['org_admin', 'org_viewer', 'auditor'],
  input: Type.Object({}),
  output: { 200: walletListWire },
  refuses: [],
  run: async ({ database, caller }) => ({
    data: (await listOwnWallets(database, caller.org_id)).map(toWalletWire),
  }),
});
