import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { deleteWallet } from './store.ts';
import { walletId } from './wire.ts';

export const unbindWallet = operation({
  name: 'payments.unbindWallet',
  title: 'Remove a wallet',
  summary:
    'Removes a wallet from the caller’s organisation. Its earlier payments stay used; later transfers from it no longer count.',
  who: ['org_admin'],
  input: Type.Object({ wallet_id: walletId }),
  output: { 204: null },
  refuses: ['wallet_not_found'],
  run: (context, { wallet_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const wallet = await deleteWallet(tx, { org_id, id });
      if (!wallet) throw new Refusal('wallet_not_found');
      const detail = { wallet_id: id, address: wallet.address };
      await recordCallerAudit(context, tx, { action: 'payments.wallet_removed', org_id, detail });
      return null;
    }),
});
