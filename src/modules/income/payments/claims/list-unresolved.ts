import { Type } from 'typebox';
import { microsToNumber } from '#lib/money.ts';
import { operation } from '#platform/operation.ts';
import type { Claim } from '../rules.ts';
import { listUnfinishedClaims } from './store.ts';
import { unresolvedListWire } from './wire.ts';

const claims_max = 100;

export const listUnresolved = operation({
  name: 'payments.listUnresolved',
  title: 'List unresolved payments',
  summary:
    'Lists the payments whose outcome is not known, or that have no read yet: at most the 100 oldest. Tasks resolve them; one that stays needs the operator.',
  who: ['platform_admin'],
  input: Type.Object({}),
  output: { 200: unresolvedListWire },
  refuses: [],
  run: async ({ database }) => ({
    data: (await listUnfinishedClaims(database, claims_max)).map(toUnresolvedWire),
  }),
});

/** Without the member: what an organisation buys about whom is not the operator's to read. */
function toUnresolvedWire(claim: Claim) {
  const { id, state, rail, org_id, data_type, amount_micro, payer, transaction, reason } = claim;
  return {
    id,
    // The store lists only these.
    state: state as 'claimed' | 'settling' | 'unknown' | 'settled',
    rail,
    org_id,
    data_type,
    amount: microsToNumber(BigInt(amount_micro)),
    payer,
    transaction,
    reason,
    created_at: claim.created_at.toISOString(),
    attempted_at: claim.attempted_at.toISOString(),
  };
}
