import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { writeChallengeMessage } from './challenge-message.ts';
import { upsertChallenge } from './store.ts';
import { addressInput, challengeWire } from './wire.ts';

const life_ms = 600_000;

export const createChallenge = operation({
  name: 'payments.createChallenge',
  title: 'Ask for a message that proves a wallet',
  summary:
    'Returns a message for the wallet to sign, within ten minutes and once. POST /orgs/me/wallets then adds the wallet. An earlier message for the same wallet is no longer accepted.',
  who: ['org_admin'],
  input: Type.Object({ address: addressInput }),
  output: { 200: challengeWire },
  refuses: [],
  run: async (context, { address }) => {
    const created_at = context.now();
    const challenge = {
      org_id: context.caller.org_id,
      address: address.toLowerCase(),
      // EIP-4361 wants letters and digits.
      nonce: randomBytes(16).toString('hex'),
      expires_at: new Date(created_at.getTime() + life_ms),
      created_at,
    };
    const message = await writeChallengeMessage(context, challenge);
    return context.transaction(async (tx) => {
      await upsertChallenge(tx, challenge);
      return { message, expires_at: challenge.expires_at.toISOString() };
    });
  },
});
