import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { isSignatureValid } from './challenge-message.ts';
import { findChallenge, insertWallet, listOwnWallets, takeChallenge } from './store.ts';
import { addressInput, signatureInput, toWalletWire, walletWire } from './wire.ts';

const wallets_max = 20;

export const bindWallet = operation({
  name: 'payments.bindWallet',
  title: 'Add a wallet',
  summary:
    'Adds a wallet to the caller’s organisation by a signature of the message of POST /orgs/me/wallets/challenge. On the rail transfer, only payments from such wallets count. A wallet belongs to one organisation.',
  who: ['org_admin'],
  input: Type.Object({ address: addressInput, signature: signatureInput }),
  output: { 201: walletWire },
  refuses: [
    'chain_unavailable',
    'organisation_not_found',
    'wallet_bound',
    'wallet_challenge_invalid',
    'wallet_signature_wrong',
    'wallets_full',
  ],
  idempotent: true,
  run: async (context, input) => {
    const { caller, now, database } = context;
    const { org_id } = caller;
    const address = input.address.toLowerCase();
    const challenge = await findChallenge(database, { org_id, address, now: now() });
    if (!challenge) throw new Refusal('wallet_challenge_invalid');
    // Outside the transaction, because it may ask the chain.
    const signature = input.signature as `0x${string}`;
    if (!(await isSignatureValid(context, challenge, signature))) throw new Refusal('wallet_signature_wrong');
    return context.transaction(async (tx) => {
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      if (!(await takeChallenge(tx, challenge))) throw new Refusal('wallet_challenge_invalid');
      if ((await listOwnWallets(tx, org_id)).length >= wallets_max) throw new Refusal('wallets_full');
      const created = { id: randomUUID(), org_id, address, created_by: caller.user_id, created_at: now() };
      const wallet = await insertWallet(tx, created);
      if (!wallet) throw new Refusal('wallet_bound');
      const detail = { wallet_id: wallet.id, address };
      await recordCallerAudit(context, tx, { action: 'payments.wallet_added', org_id, detail });
      return toWalletWire(wallet);
    });
  },
});
